// Whether input would go to a program that locks the screen: one that has grabbed the keyboard, under a window of its
// own that covers the whole screen.
//
// The grab is asked for with a window that is not shown: the server then says "taken" or "not viewable", and grabs
// nothing. An open menu has a grab too, but no such window: the first window from the top that an application has, or
// that covers the screen, decides. Uses its caller's connection, and its thread. Errors: kUnavailable.
#pragma once

#include <optional>
#include <string>

#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {

class LockProbe {
 public:
  static Result<LockProbe> open(Connection& connection);

  // What locks the screen; nullopt where nothing does. One round trip where nobody has grabbed the keyboard.
  Result<std::optional<std::string>> locker();

 private:
  LockProbe(Connection& connection, xcb_window_t window, xcb_atom_t state)
      : connection_(&connection), window_(window), wm_state_(state) {}
  Result<bool> keyboard_is_taken();
  bool belongs_to_application(xcb_window_t window) const;
  std::string name_of(xcb_window_t window);

  Connection* connection_;
  xcb_window_t window_;
  xcb_atom_t wm_state_;
};

}  // namespace da::actuator::x11
