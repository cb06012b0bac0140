// Carries out the tools that touch nothing (handler: HANDLER_PLANNER): sleep, wait_for, check_element_property, and for
// models list_windows, ui_snapshot, ui_find, zoom; ask_user has a file of its own. The policy has allowed the call
// before. One thread, the task's.
// Errors: the observer is lost, or the task was cancelled. A check that does not hold is an answer, not an error.
#pragma once

#include <optional>
#include <string>

#include "da/v1/observation.pb.h"
#include "da/v1/tools.pb.h"
#include "lib/base/result.h"
#include "services/planner/sight.h"

namespace da::planner {

struct Answer {
  bool ok = false;
  std::string message;  // What was seen, for people and models; foreign text in it is escaped.
  std::optional<v1::ImageFact> image = std::nullopt;  // What a closer look showed.
};

Result<Answer> answer_tool(const v1::Action& action, Sight& sight);

// Until the property holds, or the time is over; at least one look.
Result<Answer> answer_check(const v1::CheckElementProperty& call, Sight& sight, Milliseconds max_wait);

// True where the catalogue says that the planner answers this tool.
bool is_planner_tool(const v1::Action& action);

}  // namespace da::planner
