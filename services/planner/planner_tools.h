// Carries out the tools that touch nothing (handler: HANDLER_PLANNER) and that a goal can ask for: sleep, wait_for,
// check_element_property. The policy has allowed the call before. One thread, the task's.
// Errors: the observer is lost, or the task was cancelled. A check that does not hold is an answer, not an error.
#pragma once

#include <string>

#include "da/v1/tools.pb.h"
#include "lib/base/result.h"
#include "services/planner/sight.h"

namespace da::planner {

struct Answer {
  bool ok = false;
  std::string message;  // For people: what was seen.
};

Result<Answer> answer_tool(const v1::Action& action, Sight& sight);

// True where the catalogue says that the planner answers this tool.
bool is_planner_tool(const v1::Action& action);

}  // namespace da::planner
