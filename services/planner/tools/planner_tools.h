// Carries out the tools that change nothing (HANDLER_PLANNER): sleep, wait_for, check_element_property, and for models
// list_windows, ui_snapshot, ui_find, zoom and ask_user. The policy must have allowed the call. Only the task's thread
// calls, and it blocks; a halt, a pause or a cancel ends a wait.
// Errors: the observer is lost, or the task was cancelled. A failed check or an unanswered question is an Answer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/plan.pb.h"
#include "da/v1/tools.pb.h"
#include "lib/base/result.h"
#include "services/planner/task/questions.h"
#include "services/planner/task/task_view.h"

namespace da::planner {

struct Answer {
  bool ok = false;
  std::string message;                                // Shown to people and models; foreign text is escaped.
  std::optional<v1::ImageFact> image = std::nullopt;  // The result of a zoom.
  std::optional<v1::UiTree> elements = std::nullopt;  // The result of ui_snapshot and ui_find.
  std::vector<v1::Window> windows = {};  // Of those elements, or the result of list_windows. Front to back.
};

Result<Answer> answer_tool(const v1::Action& action, TaskView& view);

// Observes until the property is true, at most for max_wait and at least once.
Result<Answer> answer_check(const v1::CheckElementProperty& call, TaskView& view, Milliseconds max_wait);

// Asks a person the step's question; the step's action is an ask_user.
Result<Answer> ask_user(const v1::Step& step, const std::string& task_id, TaskView& view, Questions& questions);

// "2 minutes", "90 s"; rounds up to seconds.
std::string in_words(Milliseconds duration);

// True if the catalogue says that the planner carries out this tool.
bool is_planner_tool(const v1::Action& action);

}  // namespace da::planner
