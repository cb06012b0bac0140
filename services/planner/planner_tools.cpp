#include "services/planner/planner_tools.h"

#include <algorithm>
#include <optional>

#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/describe.h"
#include "services/planner/element_query.h"
#include "services/planner/ui_text.h"

namespace da::planner {
namespace {

using Check = v1::CheckElementProperty;

// One Locate call lasts no longer, so that an observer that hangs is found out.
constexpr Milliseconds kFindSlice{10'000};
// What of a text element the contract carries.
constexpr std::size_t kCarriedCharacters = 2'000;
// Elements in one answer: some thousand tokens of a model.
constexpr int kMostListed = 100;

Result<Answer> sleep(const v1::Sleep& call, Sight& sight) {
  const auto duration = std::chrono::duration_cast<Milliseconds>(std::chrono::duration<double>(call.secs()));
  const auto pause = sight.cancel().pause_until(sight.clock(), sight.deadline_after(duration));
  if (pause == TaskCancel::Pause::kCancelled)
    return Error{Code::kCancelled, "it was cancelled before its time was over"};
  return Answer{true, "waited"};
}

bool will_do(const v1::LocateReply& reply) { return reply.missing().empty() && reply.candidates_size() > 0; }

std::string waited(Milliseconds wait) { return " (waited " + std::to_string(wait.count() / 1000) + " s)"; }

// Shows anywhere, however often.
Result<Answer> await_showing(const std::string& target, Milliseconds max_wait, Sight& sight) {
  const MonoTime deadline = sight.deadline_after(max_wait);
  while (true) {
    const auto left = std::chrono::ceil<Milliseconds>(deadline - sight.clock().now());
    const Milliseconds slice = std::clamp(left, Milliseconds(0), kFindSlice);
    ASSIGN_OR_RETURN(const auto reply, sight.find(target, v1::ACTIONABLE_UNSPECIFIED, Ocr::kWith, slice));
    if (will_do(reply)) return Answer{true, describe_candidate(reply.candidates(0)) + " shows"};
    if (left <= kFindSlice) {
      const std::string why = reply.missing().empty() ? "does not show" : escape_foreign(reply.missing());
      const std::string nearest = reply.candidates().empty() ? nearest_text(reply) : "";
      return Answer{false, describe_target(target) + " " + why + waited(max_wait) + nearest};
    }
  }
}

Result<Answer> wait_for(const v1::WaitFor& call, Sight& sight) {
  const auto max_wait = std::chrono::duration_cast<Milliseconds>(std::chrono::duration<double>(call.secs()));
  return await_showing(call.has_text() ? call.text() : call.target_description(), max_wait, sight);
}

// Looks again and again; a look that missed a part of the screen proves nothing.
Result<Answer> await_hidden(const std::string& target, Milliseconds max_wait, Sight& sight) {
  std::string last;
  const auto holds = [&](const v1::Observation&) -> Result<bool> {
    ASSIGN_OR_RETURN(const auto reply, sight.find(target, v1::ACTIONABLE_UNSPECIFIED, Ocr::kWith, Milliseconds(0)));
    if (will_do(reply)) {
      last = describe_candidate(reply.candidates(0)) + " shows";
    } else if (reply.incomplete()) {
      last = describe_target(target) + " may show: " + escape_foreign(reply.missing());
    } else {
      last = describe_target(target) + " does not show";
      return true;
    }
    return false;
  };
  ASSIGN_OR_RETURN(const bool held, sight.look_until(holds, max_wait));
  return Answer{held, held ? last : last + waited(max_wait)};
}

Result<Answer> check_enabled(const Check& call, Sight& sight, Milliseconds max_wait) {
  const auto found = sight.find_one(call.target_description(), v1::ACTIONABLE_ENABLED, Ocr::kWithout, max_wait);
  if (found) return Answer{true, describe_candidate(*found) + " is enabled"};
  if (is_lost_or_cancelled(found.error())) return found.error();
  return Answer{false, found.error().message};
}

// nullopt where the element is so, else how it is instead.
std::optional<std::string> differs_in_state(Check::Property property, const v1::UiNode& node) {
  const bool checked = has_state(node, v1::UI_STATE_CHECKED);
  const bool enabled = has_state(node, v1::UI_STATE_ENABLED);
  if (property == Check::PROPERTY_CHECKED && !checked) return "is not checked";
  if (property == Check::PROPERTY_UNCHECKED && checked) return "is checked";
  if (property == Check::PROPERTY_DISABLED && enabled) return "is enabled";
  return std::nullopt;
}

// nullopt where the property holds, else how it is instead.
std::optional<std::string> differs(const Check& call, const v1::UiNode& node) {
  if (call.property() != Check::PROPERTY_TEXT) return differs_in_state(call.property(), node);
  // A label says its text as its name.
  const bool says_name = node.text().empty() && !has_state(node, v1::UI_STATE_EDITABLE);
  const std::string& text = says_name ? node.name() : node.text();
  if (text == call.expected()) return std::nullopt;
  const auto scalars = decode_utf8(text);
  const bool cut = scalars && scalars->size() >= kCarriedCharacters && call.expected().starts_with(text);
  if (cut) return "begins as expected, but only its first 2000 characters can be seen";
  return "has the text " + quote_foreign(text) + ", not " + quote_foreign(call.expected());
}

// Looks at the element, again and again as the screen changes, until the property holds.
Result<Answer> check_node(const Check& call, Sight& sight, Milliseconds max_wait) {
  std::string last;
  const auto holds = [&](const v1::Observation&) -> Result<bool> {
    // A field of that name is meant before a heading of the same name.
    auto found =
        call.property() == Check::PROPERTY_TEXT
            ? sight.find_one(call.target_description(), v1::ACTIONABLE_EDITABLE, Ocr::kWithout, Milliseconds(0))
            : Error{Code::kNotFound, ""};
    if (!found && !is_lost_or_cancelled(found.error())) {
      found = sight.find_one(call.target_description(), v1::ACTIONABLE_UNSPECIFIED, Ocr::kWithout, Milliseconds(0));
    }
    if (!found && is_lost_or_cancelled(found.error())) return found.error();
    if (!found) {
      last = found.error().message;
      return false;
    }
    const auto difference = differs(call, found->node());
    last = describe_candidate(*found) + " " + difference.value_or("is as expected");
    return !difference;
  };
  ASSIGN_OR_RETURN(const bool held, sight.look_until(holds, max_wait));
  return Answer{held, last};
}

Result<Answer> check_window(const Check& call, Sight& sight, Milliseconds max_wait) {
  const auto window = sight.await_window(call.target_description(), max_wait);
  if (window) return Answer{true, "the window " + quote_foreign(window->title()) + " is open"};
  if (is_lost_or_cancelled(window.error())) return window.error();
  return Answer{false, window.error().message};
}

Result<Answer> check_window_closed(const Check& call, Sight& sight, Milliseconds max_wait) {
  std::string last;
  const auto holds = [&](const v1::Observation& seen) -> Result<bool> {
    const auto open = std::ranges::find_if(seen.windows(), [&](const v1::Window& window) {
      return contains_ignoring_case(window.title(), call.target_description());
    });
    const bool closed = open == seen.windows().end();
    last = closed ? "no window's title contains " + quote_foreign(call.target_description())
                  : "the window " + quote_foreign(open->title()) + " is open";
    return closed;
  };
  ASSIGN_OR_RETURN(const bool held, sight.look_until(holds, max_wait, View::kState));
  return Answer{held, held ? last : last + waited(max_wait)};
}

// Part of a window's title, in any case; "window" is the one that has the focus.
std::optional<v1::Window> find_window(const v1::Observation& seen, const std::string& scope) {
  if (scope == "window") {
    return seen.has_focused_window() ? std::optional(seen.focused_window()) : std::nullopt;
  }
  for (const v1::Window& window : seen.windows()) {
    if (contains_ignoring_case(window.title(), scope)) return window;
  }
  return std::nullopt;
}

Result<Answer> list_windows(Sight& sight) {
  ASSIGN_OR_RETURN(const auto seen, sight.look(Picture::kNone, Milliseconds(0)));
  std::string list;
  for (const v1::Window& window : seen.windows()) {
    list += "\n" + quote_foreign(window.title()) + " of " + escape_foreign(window.executable(), 120) + ", process " +
            std::to_string(window.pid()) + (window.focused() ? ", has the focus" : "") +
            (window.minimized() ? ", minimised" : "");
  }
  return Answer{true, list.empty() ? "no window is open" : "windows, front to back:" + list};
}

template <class Fits>
Result<Answer> list_elements(const v1::UiTree& tree, const Fits& fits) {
  std::string list;
  int listed = 0;
  for (const v1::UiNode& node : tree.nodes()) {
    if (!is_telling(node) || !fits(node)) continue;
    if (++listed <= kMostListed) list += "\n" + element_line(node);
  }
  if (listed > kMostListed) list += "\n... and " + std::to_string(listed - kMostListed) + " more";
  if (list.empty()) list = "\nnone" + (tree.note().empty() ? "" : ": " + escape_foreign(tree.note(), 200));
  return Answer{true, "elements that show:" + list};
}

Result<Answer> snapshot(const v1::UiSnapshot& call, Sight& sight) {
  const std::string scope = call.scope().empty() ? "window" : call.scope();
  ASSIGN_OR_RETURN(const auto tree, sight.ui_tree());
  if (scope == "desktop") return list_elements(tree, [](const v1::UiNode&) { return true; });
  ASSIGN_OR_RETURN(const auto seen, sight.look(Picture::kNone, Milliseconds(0)));
  const auto window = find_window(seen, scope);
  if (!window) {
    return Answer{
        false, (scope == "window" ? "no window has the focus" : "no window's title contains " + quote_foreign(scope)) +
                   "; open: " + describe_windows(seen.windows())};
  }
  return list_elements(tree, [&](const v1::UiNode& node) { return node.window_id() == window->window_id(); });
}

Result<Answer> find(const v1::UiFind& call, Sight& sight) {
  ASSIGN_OR_RETURN(const auto tree, sight.ui_tree());
  return list_elements(tree, [&](const v1::UiNode& node) {
    return contains_ignoring_case(node.name(), call.query()) || contains_ignoring_case(node.text(), call.query()) ||
           contains_ignoring_case(node.role(), call.query());
  });
}

Result<Answer> zoom(const v1::Zoom& call, Sight& sight) {
  v1::Rect area;
  area.set_x(call.x());
  area.set_y(call.y());
  area.set_width(call.width());
  area.set_height(call.height());
  auto image = sight.zoom(area);
  if (!image && is_lost_or_cancelled(image.error())) return image.error();
  if (!image) return Answer{false, image.error().message};
  return Answer{true, "looked closer", *std::move(image)};
}

}  // namespace

Result<Answer> answer_check(const Check& call, Sight& sight, Milliseconds max_wait) {
  switch (call.property()) {
    case Check::PROPERTY_VISIBLE: return await_showing(call.target_description(), max_wait, sight);
    case Check::PROPERTY_NOT_VISIBLE: return await_hidden(call.target_description(), max_wait, sight);
    case Check::PROPERTY_ENABLED: return check_enabled(call, sight, max_wait);
    case Check::PROPERTY_DISABLED:
    case Check::PROPERTY_CHECKED:
    case Check::PROPERTY_UNCHECKED:
    case Check::PROPERTY_TEXT: return check_node(call, sight, max_wait);
    case Check::PROPERTY_WINDOW_OPEN: return check_window(call, sight, max_wait);
    case Check::PROPERTY_WINDOW_CLOSED: return check_window_closed(call, sight, max_wait);
    default: return Answer{false, "the check names no property"};
  }
}

Result<Answer> answer_tool(const v1::Action& action, Sight& sight) {
  switch (action.tool_case()) {
    case v1::Action::kSleep: return sleep(action.sleep(), sight);
    case v1::Action::kWaitFor: return wait_for(action.wait_for(), sight);
    case v1::Action::kListWindows: return list_windows(sight);
    case v1::Action::kUiSnapshot: return snapshot(action.ui_snapshot(), sight);
    case v1::Action::kUiFind: return find(action.ui_find(), sight);
    case v1::Action::kZoom: return zoom(action.zoom(), sight);
    case v1::Action::kCheckElementProperty: return answer_check(action.check_element_property(), sight, kTargetWait);
    default: return Answer{false, "nobody here answers " + contract::describe(action)};
  }
}

bool is_planner_tool(const v1::Action& action) {
  const contract::Tool* tool = contract::tool_of(action);
  return tool != nullptr && tool->options->handler() == v1::HANDLER_PLANNER;
}

}  // namespace da::planner
