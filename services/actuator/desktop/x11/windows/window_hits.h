// Which windows of the X server are under a point. XCB_NONE: only the root. One round trip for each level.
#pragma once

#include "lib/base/geometry.h"
#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {

// A child of the root: a frame of the window manager, or a window without one.
Result<xcb_window_t> root_child_at(Connection& connection, Point at);

// The window that gets a press there: some toolkits have a window for each button and field.
Result<xcb_window_t> innermost_window_at(Connection& connection, Point at);

}  // namespace da::actuator::x11
