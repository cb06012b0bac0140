// Watches who gets a press of a mouse button that has just been sent.
//
// A window manager may hold each press back until it has decided about the focus (a synchronous passive grab), and the
// server delivers it then to what lies under the pointer by that time. A program that reacts to the pointer's motion
// can put its window there in between. So this waits until the window manager has passed the press on, and looks
// meanwhile. Uses the connection of Input; one thread. Errors: kUnavailable.
#pragma once

#include "lib/base/geometry.h"
#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/windows/press_surface.h"

namespace da::actuator::x11 {

class PressWatch {
 public:
  static Result<PressWatch> open(Connection& connection);

  // Where to release the button so that nothing is clicked; nullopt: what was expected got the press, or the window of
  // the same program that the press has opened. Also nullopt if the expected window is gone: the press has closed it.
  Result<std::optional<Point>> await(Point at, const PressSurface& expected);
  // The same now, without waiting.
  Result<std::optional<Point>> look(Point at, const PressSurface& expected);

 private:
  PressWatch(Connection& connection, xcb_window_t asked) : connection_(&connection), asked_(asked) {}

  // Asks the window manager for something that it does only after it has decided about the press.
  void ask_manager();
  Connection* connection_;
  xcb_window_t asked_;
  std::int16_t wanted_x_ = 0;
  bool answered_ = false;
};

}  // namespace da::actuator::x11
