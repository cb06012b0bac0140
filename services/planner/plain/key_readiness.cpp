#include "services/planner/plain/key_readiness.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "lib/base/text.h"

namespace da::planner::plain {
namespace {

constexpr Milliseconds kDefaultButtonWait{3'000};
constexpr Milliseconds kFocusedElementWait{3'000};
constexpr std::array<std::string_view, 3> kCancelNames = {"Cancel", "Abbrechen", "Annuler"};
constexpr std::array<std::string_view, 8> kDefaultNames = {"Save",      "Open", "OK",          "Yes",
                                                           "Speichern", "Ja",   "\u00d6ffnen", "Enregistrer"};

bool agree(const v1::Observation& a, const v1::Observation& b) {
  return a.focused_window().window_id() == b.focused_window().window_id() &&
         a.focused_window().title() == b.focused_window().title() && a.ui_digest() == b.ui_digest();
}

bool inside(const v1::Rect& outer, const v1::Point& point) {
  return point.x() >= outer.x() && point.y() >= outer.y() &&
         std::int64_t{point.x()} < std::int64_t{outer.x()} + outer.width() &&
         std::int64_t{point.y()} < std::int64_t{outer.y()} + outer.height();
}

// The name without the mnemonic marks of toolkits.
std::string plain_label(std::string_view name) {
  std::string label = fold_case(name);
  std::erase_if(label, [](char c) { return c == '_' || c == '&'; });
  return label;
}

bool is_button_of(const v1::UiNode& node, const v1::Window& window, std::string_view name) {
  return contains_ignoring_case(node.role(), "button") && has_state(node, v1::UI_STATE_SHOWING) &&
         plain_label(node.name()) == plain_label(name) &&
         (node.window_id() == window.window_id() || inside(window.bounds(), center_of(node.bounds())));
}

// The window's visible button with one of these names, enabled or not; null if there is none.
const v1::UiNode* button_of(const v1::UiTree& tree, const v1::Window& window, std::span<const std::string_view> names) {
  for (const std::string_view name : names) {
    const auto found =
        std::ranges::find_if(tree.nodes(), [&](const v1::UiNode& node) { return is_button_of(node, window, name); });
    if (found != tree.nodes().end()) return &*found;
  }
  return nullptr;
}

bool has_focused_element(const v1::UiTree& tree, const v1::Window& window) {
  return std::ranges::any_of(tree.nodes(), [&](const v1::UiNode& node) {
    return node.window_id() == window.window_id() && has_state(node, v1::UI_STATE_FOCUSED);
  });
}

bool exposes_elements(const v1::UiTree& tree, const v1::Window& window) {
  return std::ranges::find(tree.nodes(), window.window_id(), &v1::UiNode::window_id) != tree.nodes().end() ||
         std::ranges::find(tree.awaited(), window.window_id()) != tree.awaited().end();
}

}  // namespace

Result<void> await_focused_element(TaskView& view, const v1::Window& focused) {
  const auto has_focus = [&]() -> Result<bool> {
    const auto tree = view.ui_tree();
    if (!tree && tree.error().code == Code::kDeadlineExceeded) return false;  // The application is busy.
    if (!tree) return is_lost_or_cancelled(tree.error()) ? Result<bool>(tree.error()) : true;
    return has_focused_element(*tree, focused) || !exposes_elements(*tree, focused);
  };
  ASSIGN_OR_RETURN(const bool at_once, has_focus());
  if (at_once) return ok();
  RETURN_IF_ERROR(
      view.look_until([&](const v1::Observation&) { return has_focus(); }, kFocusedElementWait, View::kState));
  return ok();
}

Result<v1::Observation> await_rest(TaskView& view, const v1::Observation& latest, Focus focus) {
  v1::Observation last = latest;
  const auto at_rest = [&](const v1::Observation& now) -> Result<bool> {
    const bool focused = now.has_focused_window() || focus == Focus::kOptional;
    const bool rests = agree(last, now);
    last = now;
    return focused && rests;
  };
  if (latest.settled() && (latest.has_focused_window() || focus == Focus::kOptional)) return latest;
  ASSIGN_OR_RETURN(const bool rests, view.look_until(at_rest, kTargetWait));
  if (rests) return last;
  if (!last.has_focused_window() && focus == Focus::kNeeded) {
    return Error{Code::kFailedPrecondition,
                 "no window has the focus, so nothing would take the keys (waited 10 s); windows: " +
                     describe_windows(last.windows())};
  }
  return Error{Code::kFailedPrecondition, "the focused window \"" + escape_foreign(last.focused_window().title(), 80) +
                                              "\" did not settle within 10 s, so no keys were sent"};
}

Result<void> await_default_button(TaskView& view, const v1::Window& focused) {
  const auto tree = view.ui_tree();
  if (!tree) return is_lost_or_cancelled(tree.error()) ? Result<void>(tree.error()) : ok();
  if (button_of(*tree, focused, kCancelNames) == nullptr) return ok();  // Not a dialog.
  const v1::UiNode* const button = button_of(*tree, focused, kDefaultNames);
  if (button == nullptr || has_state(*button, v1::UI_STATE_ENABLED)) return ok();
  const auto reply = view.find(button->name(), v1::ACTIONABLE_ENABLED, Ocr::kWithout, kDefaultButtonWait);
  if (!reply && is_lost_or_cancelled(reply.error())) return reply.error();
  return ok();
}

}  // namespace da::planner::plain
