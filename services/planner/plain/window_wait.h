// Waits until a launched application is ready for input (launch_progress.h). Only the task's thread calls.
#pragma once

#include "da/v1/observation.pb.h"
#include "lib/base/result.h"
#include "services/planner/plain/language/goal.h"
#include "services/planner/proposer.h"
#include "services/planner/task/task_view.h"

namespace da::planner::plain {

// before: the last observation before the launch. Timeout: open.within, else 30 s, extended up to 2 minutes while the
// application is active. kFailedPrecondition, with the state of the launch: exit with an error, or timeout.
Result<Proof> await_launched_window(TaskView& view, const v1::Observation& before, const OpenApp& open);

}  // namespace da::planner::plain
