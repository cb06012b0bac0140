// Detects a screen locker: a program that has grabbed the keyboard and covers the whole screen with its own window.
//
// Requests a keyboard grab for a hidden window: the server answers "already grabbed" or "not viewable" and grabs
// nothing. An open menu grabs too, but does not cover the screen: the topmost window that belongs to an application or
// covers the screen decides. Uses the caller's connection and thread. Errors: kUnavailable.
#pragma once

#include <optional>
#include <string>

#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {

class LockProbe {
 public:
  static Result<LockProbe> open(Connection& connection);

  // The name of the locker; nullopt when nothing locks the screen. One round trip when the keyboard is not grabbed.
  Result<std::optional<std::string>> locker();
  // Whether another client has grabbed the keyboard: now, and at the last question.
  Result<bool> keyboard_is_taken();
  // Whether another client has grabbed the pointer, as open menus do, and each program while it is pressed.
  Result<bool> pointer_is_taken();
  bool was_taken() const { return taken_; }

 private:
  LockProbe(Connection& connection, xcb_window_t window, xcb_atom_t state)
      : connection_(&connection), window_(window), wm_state_(state) {}
  bool belongs_to_application(xcb_window_t window) const;
  std::string name_of(xcb_window_t window);

  Connection* connection_;
  xcb_window_t window_;
  xcb_atom_t wm_state_;
  bool taken_ = false;
};

}  // namespace da::actuator::x11
