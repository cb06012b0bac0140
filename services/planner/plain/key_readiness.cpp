#include "services/planner/plain/key_readiness.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "lib/base/text.h"

namespace da::planner::plain {
namespace {

constexpr Milliseconds kDefaultButtonWait{3'000};
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

bool is_button_of(const v1::Candidate& candidate, const v1::Window& window, std::string_view name) {
  return candidate.source() == v1::Candidate::SOURCE_UI_TREE &&
         contains_ignoring_case(candidate.node().role(), "button") &&
         fold_case(candidate.node().name()) == fold_case(name) &&
         (candidate.node().window_id() == window.window_id() || inside(window.bounds(), center_of(candidate.bounds())));
}

// The window's button of this name, showing; enabled or not.
Result<std::optional<v1::UiNode>> button_of(Sight& sight, const v1::Window& window, std::string_view name) {
  const auto reply = sight.find(std::string(name), v1::ACTIONABLE_UNSPECIFIED, Ocr::kWithout, Milliseconds(0));
  if (!reply) {
    if (is_lost_or_cancelled(reply.error())) return reply.error();
    return std::optional<v1::UiNode>();
  }
  for (const v1::Candidate& candidate : reply->candidates()) {
    if (is_button_of(candidate, window, name)) return std::optional(candidate.node());
  }
  return std::optional<v1::UiNode>();
}

Result<bool> is_dialog(Sight& sight, const v1::Window& window) {
  for (const std::string_view name : kCancelNames) {
    ASSIGN_OR_RETURN(const auto button, button_of(sight, window, name));
    if (button) return true;
  }
  return false;
}

}  // namespace

Result<v1::Observation> await_rest(Sight& sight, const v1::Observation& latest, Focus focus) {
  v1::Observation last = latest;
  const auto at_rest = [&](const v1::Observation& now) -> Result<bool> {
    const bool focused = now.has_focused_window() || focus == Focus::kOptional;
    const bool rests = agree(last, now);
    last = now;
    return focused && rests;
  };
  if (latest.settled() && (latest.has_focused_window() || focus == Focus::kOptional)) return latest;
  ASSIGN_OR_RETURN(const bool rests, sight.look_until(at_rest, kTargetWait));
  if (rests) return last;
  if (!last.has_focused_window() && focus == Focus::kNeeded) {
    return Error{Code::kFailedPrecondition,
                 "no window has the focus, so nothing would take the keys (waited 10 s); windows: " +
                     describe_windows(last.windows())};
  }
  return Error{Code::kFailedPrecondition, "the focused window \"" + escape_foreign(last.focused_window().title(), 80) +
                                              "\" did not come to rest within 10 s, so no keys were sent"};
}

Result<void> await_default_button(Sight& sight, const v1::Window& focused) {
  ASSIGN_OR_RETURN(const bool dialog, is_dialog(sight, focused));
  if (!dialog) return ok();
  for (const std::string_view name : kDefaultNames) {
    ASSIGN_OR_RETURN(const auto button, button_of(sight, focused, name));
    if (!button) continue;
    if (has_state(*button, v1::UI_STATE_ENABLED)) return ok();
    const auto reply = sight.find(std::string(name), v1::ACTIONABLE_ENABLED, Ocr::kWithout, kDefaultButtonWait);
    if (!reply && is_lost_or_cancelled(reply.error())) return reply.error();
    return ok();
  }
  return ok();
}

}  // namespace da::planner::plain
