// Turns steps that describe their target (click_described_element, type_in_described_field) into steps on an element or
// a place, because the policy judges only those; and names the targets of clicks for people. Only the task's thread
// calls.
#pragma once

#include <string>
#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/plan.pb.h"
#include "lib/base/result.h"
#include "services/planner/task/task_view.h"

namespace da::planner {

bool is_described(const v1::Action& action);
// Empty if the action describes no target.
std::string description_in(const v1::Action& action);

// Searches the UI tree and, unless the action types, also by OCR. Errors as TaskView::find.
Result<v1::LocateReply> find_described(const v1::Action& action, TaskView& view, Milliseconds max_wait);

// A click, unless the action types and the field has the focus, and the typing.
std::vector<v1::Step> steps_on(const v1::Step& described, const v1::Candidate& target);
// Likewise; `target` is in desktop pixels.
std::vector<v1::Step> steps_at(const v1::Step& described, const v1::Point& target);

// Sets Step.target of the plan's ui_clicks, of which people would see only ids. An element that is gone gets no name.
void name_clicked_elements(v1::Plan& plan, const v1::Observation& latest, TaskView& view);

}  // namespace da::planner
