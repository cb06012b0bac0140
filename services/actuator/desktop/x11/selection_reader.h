// Asks the owner of the CLIPBOARD selection for what it holds (ICCCM section 2.4), large values by INCR.
//
// Owns a connection and a window that answers come to. One thread at a time. What comes is another program's: of any
// size up to kMaxBytes, of any content. Errors: kDeadlineExceeded (the owner does not answer), kResourceExhausted
// (larger than kMaxBytes), kUnavailable.
#pragma once

#include <memory>
#include <optional>

#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/selection_content.h"

namespace da::actuator::x11 {

struct SelectionAtoms {
  xcb_atom_t clipboard, targets, timestamp, utf8_string, text, text_plain, text_plain_utf8, incr, stamp;
  static Result<SelectionAtoms> intern(Connection& connection);
};

class SelectionReader {
 public:
  static constexpr std::size_t kMaxBytes = 64U << 20;  // Of one value, and of all that read_all() gives.

  static Result<std::unique_ptr<SelectionReader>> open(const std::string& display, const Clock& clock);

  const SelectionAtoms& atoms() const { return atoms_; }
  Connection& connection() { return *connection_; }
  xcb_window_t window() const { return window_; }

  // XCB_NONE where the clipboard has none.
  Result<xcb_window_t> owner();
  // nullopt where the owner cannot give this target.
  Result<std::optional<SelectionItem>> convert(xcb_atom_t target, MonoTime deadline);
  // Every value that the owner names, the most useful ones first: until the deadline, and until they are kMaxBytes
  // together. Targets that do something in the owner (DELETE), or that mean nothing without it (PIXMAP), are left out.
  Result<SelectionContent> read_all(MonoTime deadline);

 private:
  SelectionReader(std::unique_ptr<Connection> connection, const SelectionAtoms& atoms, xcb_window_t window,
                  xcb_atom_t value)
      : connection_(std::move(connection)), atoms_(atoms), window_(window), value_(value) {}
  Result<std::optional<SelectionItem>> ask_for(xcb_atom_t target, MonoTime deadline);
  Result<std::vector<xcb_atom_t>> targets_to_read(MonoTime deadline);
  Result<Property> take_value();
  Result<Property> receive_pieces(MonoTime deadline);
  Result<EventPtr> expect(MonoTime deadline);

  std::unique_ptr<Connection> connection_;
  SelectionAtoms atoms_;
  xcb_window_t window_;
  xcb_atom_t value_;  // The property that answers are put into.
  unsigned given_up_ = 0;
};

}  // namespace da::actuator::x11
