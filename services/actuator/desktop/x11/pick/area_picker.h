// Lets the person at a display mark a rectangle with two clicks, or by dragging. While it runs, it has grabbed pointer
// and keyboard, so that no application gets the clicks. The pointer is a cross, and an outline shows the rectangle.
// One thread; takes the connection's events.
#pragma once

#include <functional>

#include "lib/base/geometry.h"
#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {

// Calls `ready` once the person's clicks count. The pixels of both clicks are in the rectangle. Errors: kCancelled
// (Escape or the right button), kDeadlineExceeded, kFailedPrecondition (another program has grabbed pointer or
// keyboard), kUnavailable.
Result<Rect> pick_area(Connection& connection, MonoTime deadline, const std::function<void()>& ready);

}  // namespace da::actuator::x11
