#include "services/planner/tools/planner_tools.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

#include "lib/base/name_text.h"
#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/describe.h"
#include "services/planner/tools/element_query.h"
#include "services/planner/tools/ui_text.h"

namespace da::planner {
namespace {

using ElementCheck = v1::CheckElementProperty;

// The longest single Locate call, so that the task notices an observer that hangs.
constexpr Milliseconds kFindSlice{10'000};
constexpr std::size_t kCarriedCharacters = 2'000;  // The contract cuts an element's text after these.
constexpr int kMostListed = 100;                   // Elements in one answer: a few thousand tokens.

Result<Answer> sleep(const v1::Sleep& call, TaskView& view) {
  const auto duration = std::chrono::duration_cast<Milliseconds>(std::chrono::duration<double>(call.secs()));
  const auto pause = view.cancel().pause_until(view.clock(), view.deadline_after(duration));
  if (pause == TaskCancel::Pause::kCancelled)
    return Error{Code::kCancelled, "it was cancelled before its time was over"};
  return Answer{true, "waited"};
}

bool is_found(const v1::LocateReply& reply) { return reply.missing().empty() && reply.candidates_size() > 0; }

// Waits until at least one match is visible.
Result<Answer> await_showing(const std::string& target, Milliseconds max_wait, TaskView& view) {
  const MonoTime deadline = view.deadline_after(max_wait);
  while (true) {
    const auto left = std::chrono::ceil<Milliseconds>(deadline - view.clock().now());
    const Milliseconds slice = std::clamp(left, Milliseconds(0), kFindSlice);
    ASSIGN_OR_RETURN(const auto reply, view.find(target, v1::ACTIONABLE_UNSPECIFIED, Ocr::kWith, slice));
    if (is_found(reply)) return Answer{true, describe_candidate(reply.candidates(0)) + " shows"};
    if (left <= kFindSlice) {
      const std::string why = reply.missing().empty() ? "does not show" : escape_foreign(reply.missing());
      const std::string nearest = reply.candidates().empty() ? nearest_text(reply) : "";
      return Answer{false, describe_target(target) + " " + why + waited_text(max_wait) + nearest};
    }
  }
}

Result<Answer> answer_wait(const v1::WaitFor& call, TaskView& view) {
  const auto max_wait = std::chrono::duration_cast<Milliseconds>(std::chrono::duration<double>(call.secs()));
  return await_showing(call.has_text() ? call.text() : call.target_description(), max_wait, view);
}

// An incomplete reply does not prove that the target is hidden.
Result<Answer> await_hidden(const std::string& target, Milliseconds max_wait, TaskView& view) {
  std::string last;
  const auto holds = [&](const v1::Observation&) -> Result<bool> {
    ASSIGN_OR_RETURN(const auto reply, view.find(target, v1::ACTIONABLE_UNSPECIFIED, Ocr::kWith, Milliseconds(0)));
    if (is_found(reply)) {
      last = describe_candidate(reply.candidates(0)) + " shows";
    } else if (reply.incomplete()) {
      last = describe_target(target) + " may show: " + escape_foreign(reply.missing());
    } else {
      last = describe_target(target) + " does not show";
      return true;
    }
    return false;
  };
  ASSIGN_OR_RETURN(const bool held, view.look_until(holds, max_wait));
  return Answer{held, held ? last : last + waited_text(max_wait)};
}

Result<Answer> check_enabled(const ElementCheck& call, TaskView& view, Milliseconds max_wait) {
  const auto found = view.find_one(call.target_description(), v1::ACTIONABLE_ENABLED, Ocr::kWithout, max_wait);
  if (found) return Answer{true, describe_candidate(*found) + " is enabled"};
  if (is_lost_or_cancelled(found.error())) return found.error();
  return Answer{false, found.error().message};
}

constexpr auto kCheckable = std::to_array<std::string_view>(
    {"check box", "radio button", "switch", "toggle button", "check menu item", "radio menu item"});

bool is_one_of(std::string_view role, std::span<const std::string_view> roles) {
  return std::ranges::find(roles, role) != roles.end();
}

bool asks_for_check(ElementCheck::Property property) {
  return property == ElementCheck::PROPERTY_CHECKED || property == ElementCheck::PROPERTY_UNCHECKED;
}

// The actual state; nullopt if the property is true.
std::optional<std::string> state_difference(ElementCheck::Property property, const v1::UiNode& node,
                                            const TaskView& view) {
  const bool checked = has_state(node, v1::UI_STATE_CHECKED);
  const bool enabled = has_state(node, v1::UI_STATE_ENABLED);
  const bool checkable = is_one_of(node.role(), kCheckable) || view.was_checked(node);
  if (asks_for_check(property) && !checked && !checkable) {
    return "is a " + escape_foreign(node.role(), 40) + ", which does not tell whether it is checked";
  }
  if (property == ElementCheck::PROPERTY_CHECKED && !checked) return "is not checked";
  if (property == ElementCheck::PROPERTY_UNCHECKED && checked) return "is checked";
  if (property == ElementCheck::PROPERTY_DISABLED && enabled) return "is enabled";
  return std::nullopt;
}

// The actual state or text; nullopt if the property is true.
std::optional<std::string> difference_from(const ElementCheck& call, const v1::UiNode& node, const TaskView& view) {
  if (call.property() != ElementCheck::PROPERTY_TEXT) return state_difference(call.property(), node, view);
  // A label exposes its text as its name.
  const bool says_name = node.text().empty() && !has_state(node, v1::UI_STATE_EDITABLE);
  const std::string& text = says_name ? node.name() : node.text();
  if (text == call.expected()) return std::nullopt;
  const auto scalars = decode_utf8(text);
  const bool cut = scalars && scalars->size() >= kCarriedCharacters && call.expected().starts_with(text);
  if (cut) return "begins as expected, but only its first 2000 characters can be seen";
  return "has the text " + quote_foreign(text) + ", not " + quote_foreign(call.expected());
}

// A check box and its label, in it or beside it, often have the same name: prefers the box.
Result<v1::Candidate> find_checkable(const std::string& target, TaskView& view) {
  constexpr double kBesideLabel = 0.06;  // The score of a name by a label beside it is lower by less.
  ASSIGN_OR_RETURN(auto reply, view.find(target, v1::ACTIONABLE_UNSPECIFIED, Ocr::kWithout, Milliseconds(0)));
  auto& candidates = *reply.mutable_candidates();
  if (!candidates.empty() && !reply.ambiguous()) {
    const auto box = std::ranges::find_if(
        candidates, [](const v1::Candidate& candidate) { return is_one_of(candidate.node().role(), kCheckable); });
    const bool as_good = box != candidates.end() && candidates[0].score() - box->score() <= kBesideLabel;
    if (as_good) return *box;
  }
  return the_one_of(reply, target, Milliseconds(0));
}

Result<Answer> check_node(const ElementCheck& call, TaskView& view, Milliseconds max_wait) {
  std::string last;
  const auto holds = [&](const v1::Observation&) -> Result<bool> {
    // Prefer an editable field to a heading of the same name for a text check.
    auto found = call.property() == ElementCheck::PROPERTY_TEXT
                     ? view.find_one(call.target_description(), v1::ACTIONABLE_EDITABLE, Ocr::kWithout, Milliseconds(0))
                     : Error{Code::kNotFound, ""};
    if (!found && !is_lost_or_cancelled(found.error())) {
      found = asks_for_check(call.property()) ? find_checkable(call.target_description(), view)
                                              : view.find_one(call.target_description(), v1::ACTIONABLE_UNSPECIFIED,
                                                              Ocr::kWithout, Milliseconds(0));
    }
    if (!found && is_lost_or_cancelled(found.error())) return found.error();
    if (!found) {
      last = found.error().message;
      return false;
    }
    const bool checked = asks_for_check(call.property()) && has_state(found->node(), v1::UI_STATE_CHECKED);
    if (checked) view.note_checked(found->node());
    const auto difference = difference_from(call, found->node(), view);
    last = describe_candidate(*found) + " " + difference.value_or("is as expected");
    return !difference;
  };
  ASSIGN_OR_RETURN(const bool held, view.look_until(holds, max_wait));
  return Answer{held, last};
}

Result<Answer> check_window(const ElementCheck& call, TaskView& view, Milliseconds max_wait) {
  const auto window = view.await_window(call.target_description(), max_wait);
  if (window) return Answer{true, "the window " + quote_foreign(window->title()) + " is open"};
  if (is_lost_or_cancelled(window.error())) return window.error();
  return Answer{false, window.error().message};
}

Result<Answer> check_window_closed(const ElementCheck& call, TaskView& view, Milliseconds max_wait) {
  std::string last;
  const auto holds = [&](const v1::Observation& seen) -> Result<bool> {
    const auto open = std::ranges::find_if(seen.windows(), [&](const v1::Window& window) {
      return name_contains(window.title(), call.target_description());
    });
    const bool closed = open == seen.windows().end();
    last = closed ? "no window's title contains " + quote_foreign(call.target_description())
                  : "the window " + quote_foreign(open->title()) + " is open";
    return closed;
  };
  ASSIGN_OR_RETURN(const bool held, view.look_until(holds, max_wait, View::kState));
  return Answer{held, held ? last : last + waited_text(max_wait)};
}

// `scope` is a part of the title, ignoring case; "window" means the focused window.
std::optional<v1::Window> find_window(const v1::Observation& seen, const std::string& scope) {
  if (scope == "window") {
    return seen.has_focused_window() ? std::optional(seen.focused_window()) : std::nullopt;
  }
  return best_titled(seen.windows(), scope);
}

Result<Answer> list_windows(TaskView& view) {
  ASSIGN_OR_RETURN(const auto seen, view.look(Picture::kNone, Milliseconds(0)));
  std::string list;
  for (const v1::Window& window : seen.windows()) {
    list += "\n" + quote_foreign(window.title()) + " of " + escape_foreign(window.executable(), 120) + ", process " +
            std::to_string(window.pid()) + (window.focused() ? ", has the focus" : "") +
            (window.minimized() ? ", minimised" : "");
  }
  return Answer{.ok = true,
                .message = list.empty() ? "no window is open" : "windows, front to back:" + list,
                .windows = {seen.windows().begin(), seen.windows().end()}};
}

bool has_elements_in(const v1::UiTree& tree, const v1::Window& window) {
  return std::ranges::find(tree.nodes(), window.window_id(), &v1::UiNode::window_id) != tree.nodes().end();
}

template <class Fits>
Answer list_elements(v1::UiTree tree, const v1::Observation& seen, const Fits& fits) {
  auto& nodes = *tree.mutable_nodes();
  nodes.erase(std::remove_if(nodes.begin(), nodes.end(), [&](const v1::UiNode& node) { return !fits(node); }),
              nodes.end());
  std::string list;
  int listed = 0;
  for (const v1::UiNode& node : nodes) {
    if (!is_telling(node)) continue;
    if (++listed <= kMostListed) list += "\n" + element_line(node);
  }
  if (listed > kMostListed) list += "\n... and " + std::to_string(listed - kMostListed) + " more";
  if (list.empty()) list = "\nnone" + (tree.note().empty() ? "" : ": " + escape_foreign(tree.note(), 200));
  Answer answer{.ok = true, .message = "elements that show:" + list};
  std::ranges::copy_if(seen.windows(), std::back_inserter(answer.windows),
                       [&](const v1::Window& window) { return has_elements_in(tree, window); });
  answer.elements = std::move(tree);
  return answer;
}

Result<Answer> snapshot(const v1::UiSnapshot& call, TaskView& view) {
  const std::string scope = call.scope().empty() ? "window" : call.scope();
  ASSIGN_OR_RETURN(auto tree, view.ui_tree());
  ASSIGN_OR_RETURN(const auto seen, view.look(Picture::kNone, Milliseconds(0), View::kState));
  if (scope == "desktop") {
    Answer answer = list_elements(std::move(tree), seen, [](const v1::UiNode&) { return true; });
    answer.windows.assign(seen.windows().begin(), seen.windows().end());
    return answer;
  }
  const auto window = find_window(seen, scope);
  if (!window) {
    return Answer{
        false, (scope == "window" ? "no window has the focus" : "no window's title contains " + quote_foreign(scope)) +
                   "; open: " + describe_windows(seen.windows())};
  }
  Answer answer = list_elements(std::move(tree), seen,
                                [&](const v1::UiNode& node) { return node.window_id() == window->window_id(); });
  answer.windows = {*window};
  return answer;
}

Result<Answer> find_elements(const v1::UiFind& call, TaskView& view) {
  ASSIGN_OR_RETURN(auto tree, view.ui_tree());
  ASSIGN_OR_RETURN(const auto seen, view.look(Picture::kNone, Milliseconds(0), View::kState));
  return list_elements(std::move(tree), seen, [&](const v1::UiNode& node) {
    return name_contains(node.name(), call.query()) || name_contains(node.text(), call.query()) ||
           name_contains(node.role(), call.query());
  });
}

Result<Answer> zoom_in(const v1::Zoom& call, TaskView& view) {
  v1::Rect area;
  area.set_x(call.x());
  area.set_y(call.y());
  area.set_width(call.width());
  area.set_height(call.height());
  auto image = view.zoom(area);
  if (!image && is_lost_or_cancelled(image.error())) return image.error();
  if (!image) return Answer{false, image.error().message};
  return Answer{true, "looked closer", *std::move(image)};
}

}  // namespace

Result<Answer> answer_check(const ElementCheck& call, TaskView& view, Milliseconds max_wait) {
  switch (call.property()) {
    case ElementCheck::PROPERTY_VISIBLE: return await_showing(call.target_description(), max_wait, view);
    case ElementCheck::PROPERTY_NOT_VISIBLE: return await_hidden(call.target_description(), max_wait, view);
    case ElementCheck::PROPERTY_ENABLED: return check_enabled(call, view, max_wait);
    case ElementCheck::PROPERTY_DISABLED:
    case ElementCheck::PROPERTY_CHECKED:
    case ElementCheck::PROPERTY_UNCHECKED:
    case ElementCheck::PROPERTY_TEXT: return check_node(call, view, max_wait);
    case ElementCheck::PROPERTY_WINDOW_OPEN: return check_window(call, view, max_wait);
    case ElementCheck::PROPERTY_WINDOW_CLOSED: return check_window_closed(call, view, max_wait);
    default: return Answer{false, "the check names no property"};
  }
}

Result<Answer> answer_tool(const v1::Action& action, TaskView& view) {
  switch (action.tool_case()) {
    case v1::Action::kSleep: return sleep(action.sleep(), view);
    case v1::Action::kWaitFor: return answer_wait(action.wait_for(), view);
    case v1::Action::kListWindows: return list_windows(view);
    case v1::Action::kUiSnapshot: return snapshot(action.ui_snapshot(), view);
    case v1::Action::kUiFind: return find_elements(action.ui_find(), view);
    case v1::Action::kZoom: return zoom_in(action.zoom(), view);
    case v1::Action::kCheckElementProperty: return answer_check(action.check_element_property(), view, kTargetWait);
    default: return Answer{false, "the planner does not carry out " + contract::describe(action)};
  }
}

std::string in_words(Milliseconds duration) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(duration).count();
  if (seconds % 60 != 0) return std::to_string(seconds) + " s";
  return std::to_string(seconds / 60) + (seconds == 60 ? " minute" : " minutes");
}

Result<Answer> ask_user(const v1::Step& step, const std::string& task_id, TaskView& view, Questions& questions) {
  const std::string& question = step.action().ask_user().question();
  if (shows_nothing(question)) return Answer{false, "the question is empty"};
  ASSIGN_OR_RETURN(const auto answer,
                   questions.ask({task_id, step.step_id(), question, view.time_limit()}, view.cancel().work()));
  if (!answer) return Answer{false, "nobody answered within " + in_words(questions.expiry())};
  // Twice the limit, because quoting may put a backslash before each character.
  return Answer{true, "the person answered: " + quote_foreign(*answer, 2 * kMaxAnswerCharacters)};
}

bool is_planner_tool(const v1::Action& action) {
  const contract::Tool* tool = contract::tool_of(action);
  return tool != nullptr && tool->options->handler() == v1::HANDLER_PLANNER;
}

}  // namespace da::planner
