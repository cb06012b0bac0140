// Follows the owners of the CLIPBOARD selection, on a connection whose events its caller takes and passes to note().
//
// A clipboard may be refilled only if its owner ended; not if another program took it or someone emptied it on purpose.
// Needs XFIXES on the connection, which watch_claim() negotiates. One thread.
#pragma once

#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {

class ClipboardWatch {
 public:
  static Result<ClipboardWatch> open(Connection& connection);

  // Call with every event of the connection.
  void note(const xcb_generic_event_t& event);
  // Waits until `owner` no longer owns the selection. True when nobody has taken it since; false at the deadline.
  Result<bool> wait_until_left(xcb_window_t owner, MonoTime deadline);

 private:
  ClipboardWatch(Connection& connection, xcb_atom_t clipboard, std::uint8_t notice)
      : connection_(connection), clipboard_(clipboard), notice_(notice) {}

  Connection& connection_;
  xcb_atom_t clipboard_;
  std::uint8_t notice_;                    // Type of the event about selections.
  xcb_window_t taken_by_last_ = XCB_NONE;  // Kept after that owner ends.
};

}  // namespace da::actuator::x11
