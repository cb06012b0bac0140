// Waits until a launched application is ready for input (launch_progress.h). One thread, the task's.
#pragma once

#include "da/v1/observation.pb.h"
#include "lib/base/result.h"
#include "services/planner/plain/goal.h"
#include "services/planner/sight.h"

namespace da::planner::plain {

// before: the windows just before the launch. The wait lasts as long as the sentence says; else 30 s, and longer while
// the application does something, at most 2 minutes. kFailedPrecondition where it ended with an error or was not ready
// in time, with what there is instead.
Result<void> await_launched_window(Sight& sight, const v1::Observation& before, const OpenApp& open);

}  // namespace da::planner::plain
