// The CLIPBOARD selection: reads what any application offers, offers a text of ours.
//
// Owns the reading connection and the SelectionOwner that serves. One thread at a time.
// Errors: kNotFound (the clipboard is empty or holds no text), kDeadlineExceeded (its owner does not answer),
// kUnavailable.
#pragma once

#include <memory>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/selection_owner.h"

namespace da::actuator::x11 {

class X11Clipboard final : public Clipboard {
 public:
  static Result<std::unique_ptr<X11Clipboard>> open(const std::string& display, const Clock& clock);

  Result<std::string> get_text(MonoTime deadline) override;
  Result<void> set_text(std::string_view text) override;
  Result<bool> wait_until_fetched(MonoTime deadline) override;

 private:
  X11Clipboard(std::unique_ptr<Connection> connection, const SelectionAtoms& atoms,
               std::unique_ptr<SelectionOwner> owner)
      : connection_(std::move(connection)), atoms_(atoms), owner_(std::move(owner)) {}
  Result<void> create_window();
  Result<std::optional<std::string>> convert(xcb_atom_t target, MonoTime deadline);
  Result<Property> take_value();
  Result<std::string> receive_pieces(MonoTime deadline);
  Result<EventPtr> expect(MonoTime deadline);

  std::unique_ptr<Connection> connection_;
  SelectionAtoms atoms_;
  std::unique_ptr<SelectionOwner> owner_;
  xcb_window_t window_ = 0;
  xcb_atom_t value_ = 0;  // The property that answers are put into.
};

}  // namespace da::actuator::x11
