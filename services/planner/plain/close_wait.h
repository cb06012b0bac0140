// Waits for the effect of closing a window: it is gone, or its program asks something first. Only the task's thread
// calls.
#pragma once

#include <string>

#include "da/v1/observation.pb.h"
#include "lib/base/result.h"
#include "services/planner/task/task_view.h"

namespace da::planner::plain {

// `before`: the observation on which the window was closed. Returns what the program asks, for people; empty if the
// window is gone. kFailedPrecondition: the window is still open, and nothing shows why.
Result<std::string> await_closed(TaskView& view, const v1::Observation& before, const v1::Window& closed);

}  // namespace da::planner::plain
