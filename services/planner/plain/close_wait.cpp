#include "services/planner/plain/close_wait.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "lib/base/text.h"

namespace da::planner::plain {
namespace {

bool has_window(const v1::Observation& seen, const std::string& window_id) {
  return std::ranges::find(seen.windows(), window_id, &v1::Window::window_id) != seen.windows().end();
}

// A window of the same program that was not there before.
const v1::Window* new_window(const v1::Observation& before, const v1::Observation& now, const v1::Window& closed) {
  const auto found = std::ranges::find_if(now.windows(), [&](const v1::Window& window) {
    const bool may_ask = window.kind() == v1::Window::KIND_UNSPECIFIED || window.kind() == v1::Window::KIND_DIALOG;
    return closed.pid() != 0 && window.pid() == closed.pid() && may_ask && window.window_id() != closed.window_id() &&
           !has_window(before, window.window_id());
  });
  return found == now.windows().end() ? nullptr : &*found;
}

// Some programs ask inside of their window.
Result<std::string> dialog_inside(TaskView& view, const v1::Window& window) {
  const auto tree = view.ui_tree();
  if (!tree) return is_lost_or_cancelled(tree.error()) ? Result<std::string>(tree.error()) : std::string();
  for (const v1::UiNode& node : tree->nodes()) {
    const bool asks = node.role() == "dialog" || node.role() == "alert" || node.role() == "info bar";
    if (!asks || node.parent_id().empty() || node.window_id() != window.window_id() ||
        !has_state(node, v1::UI_STATE_SHOWING))
      continue;
    return "its program asks: " + quote_foreign(node.name(), 80);
  }
  return std::string();
}

}  // namespace

Result<std::string> await_closed(TaskView& view, const v1::Observation& before, const v1::Window& closed) {
  std::string question;
  const auto ended = [&](const v1::Observation& now) -> Result<bool> {
    if (!has_window(now, closed.window_id())) return true;
    if (const v1::Window* const asks = new_window(before, now, closed)) {
      question = "its program asks: " + quote_foreign(asks->title(), 80);
    }
    return !question.empty();
  };
  ASSIGN_OR_RETURN(const bool done, view.look_until(ended, kTargetWait, View::kState));
  if (done) return question;
  ASSIGN_OR_RETURN(question, dialog_inside(view, closed));
  if (!question.empty()) return question;
  return Error{Code::kFailedPrecondition,
               "the window " + quote_foreign(closed.title(), 80) + " is still open" + waited_text(kTargetWait)};
}

}  // namespace da::planner::plain
