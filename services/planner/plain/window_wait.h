// Waits until a launched application is ready for input: a window that was not there before has the focus.
// One thread, the task's.
#pragma once

#include <string>

#include "da/v1/observation.pb.h"
#include "lib/base/result.h"
#include "services/planner/sight.h"

namespace da::planner::plain {

// before: the windows just before the launch. An application that shows itself in a window it already had is accepted
// where that window gets the focus. kFailedPrecondition where none did within kTargetWait, with what is there instead.
Result<void> await_launched_window(Sight& sight, const v1::Observation& before, const std::string& command);

}  // namespace da::planner::plain
