// Where the wheel is turned, so that the named thing scrolls and nothing else does. Only the task's thread calls.
// Desktop pixels.
#pragma once

#include "da/v1/observer_rpc.pb.h"
#include "lib/base/geometry.h"
#include "lib/base/result.h"
#include "services/planner/task/task_view.h"

namespace da::planner::plain {

// A point of the focused window or of the candidate, its middle if possible, where no other element takes the wheel for
// itself, as spin buttons and drop-downs do, whose values it changes, and no window in front lies. kFailedPrecondition
// if there is none.
Result<Point> place_to_scroll(TaskView& view, const v1::Observation& seen);
Result<Point> place_to_scroll(TaskView& view, const v1::Candidate& found);

}  // namespace da::planner::plain
