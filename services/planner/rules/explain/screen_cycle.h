// One evaluation of a profile on the present screen, as a run would make it in its first cycle. No model is asked:
// their conditions are reported as not on the screen.
#pragma once

#include "services/planner/rules/engine/engine.h"
#include "services/planner/rules/run/loaded_profile.h"
#include "services/planner/task/task_view.h"

namespace da::planner::rules {

// Returns a cycle with Reports::kAll. Blocks. Errors as TaskView::analyze; kResourceExhausted: too many questions.
Result<Cycle> evaluate_screen(const LoadedProfile& loaded, TaskView& view);

}  // namespace da::planner::rules
