// Requests the content of the CLIPBOARD selection from its owner (ICCCM section 2.4), large values by INCR.
//
// Owns a connection and the window that receives answers. One thread at a time. Content is untrusted and at most
// kMaxBytes. Errors: kDeadlineExceeded (the owner does not answer), kResourceExhausted (too large), kUnavailable.
#pragma once

#include <memory>
#include <optional>

#include "services/actuator/desktop/x11/clipboard/selection_content.h"
#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {

struct SelectionAtoms {
  xcb_atom_t clipboard, targets, timestamp, utf8_string, text, text_plain, text_plain_utf8, incr, multiple, atom_pair,
      stamp;
  static Result<SelectionAtoms> intern(Connection& connection);
};

class SelectionReader {
 public:
  static constexpr std::size_t kMaxBytes = 64U << 20;  // Limit of one value, and of read_all() in total.

  static Result<std::unique_ptr<SelectionReader>> open(const std::string& display, const Clock& clock);

  const SelectionAtoms& atoms() const { return atoms_; }
  Connection& connection() { return *connection_; }
  xcb_window_t window() const { return window_; }

  // XCB_NONE when the clipboard has no owner.
  Result<xcb_window_t> owner() { return connection_->selection_owner(atoms_.clipboard); }
  // nullopt when the owner does not offer this target.
  Result<std::optional<SelectionItem>> convert(xcb_atom_t target, MonoTime deadline);
  // All values that the owner offers, the most useful ones first, until the deadline and up to kMaxBytes in total.
  // Leaves out targets with a side effect (DELETE) or that are useless without the owner (PIXMAP).
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
  xcb_atom_t value_;  // The property that receives answers.
  unsigned given_up_ = 0;
};

}  // namespace da::actuator::x11
