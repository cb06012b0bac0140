// The regions of a profile that a gemini_perform_task shows to its model, and the check that what the model proposes
// stays inside of them. Only the task's thread calls.
#pragma once

#include <string>
#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/plan.pb.h"
#include "da/v1/planner_rpc.pb.h"
#include "lib/base/result.h"
#include "services/planner/rules/profile/profile.h"
#include "services/planner/task/task_view.h"

namespace da::planner::rules {

using ContextRegions = std::vector<v1::Decision::Region>;

// Where the profile's regions of these indices are now, in desktop pixels: a region of a window follows it. Those whose
// window is not open are left out. kFailedPrecondition: one is outside of the desktop. Further errors as
// TaskView::analyze.
Result<ContextRegions> find_regions(const Profile& profile, const std::vector<std::size_t>& indices, TaskView& view);

// kPermissionDenied: the step acts on something outside of the regions; the error says on what. A click or another
// gesture must be inside; keys go to the focused window, which must overlap a region. What only looks at the screen is
// free, except for check_element_property, whose element must be inside. What acts on no place (launch, close_window,
// file_delete, ...) is refused. Without regions everything is inside. Further errors as TaskView::find.
Result<void> check_inside(const v1::Step& step, const ContextRegions& regions, const v1::Observation& seen,
                          TaskView& view);

}  // namespace da::planner::rules
