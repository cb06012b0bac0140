// Follows who takes the CLIPBOARD selection, on a connection whose events somebody else takes and hands on.
//
// It tells a clipboard that its owner left by ending from one that another took, or that was emptied on purpose: only
// the first may be filled again. Needs XFIXES on the connection, which watch_claim() asks for. One thread.
#pragma once

#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {

class ClipboardWatch {
 public:
  static Result<ClipboardWatch> open(Connection& connection);

  // Every event of the connection.
  void note(const xcb_generic_event_t& event);
  // Waits for `owner` to have it no longer. True where nobody has taken it since. False at the deadline.
  Result<bool> wait_until_left(xcb_window_t owner, MonoTime deadline);

 private:
  ClipboardWatch(Connection& connection, xcb_atom_t clipboard, std::uint8_t notice)
      : connection_(connection), clipboard_(clipboard), notice_(notice) {}

  Connection& connection_;
  xcb_atom_t clipboard_;
  std::uint8_t notice_;                    // The type of the event that tells of selections.
  xcb_window_t taken_by_last_ = XCB_NONE;  // Stays when that one ends.
};

}  // namespace da::actuator::x11
