// Lets the person at this machine's desktop mark a place. Starts da-actuator, which alone touches the desktop. Main
// thread.
#pragma once

#include "lib/base/geometry.h"
#include "lib/base/result.h"

namespace da::console {

// Blocks until the person has marked the place. Errors: kCancelled (by the person, or by a signal), kFailedPrecondition
// (da-actuator has printed why).
Result<Rect> pick_place();

}  // namespace da::console
