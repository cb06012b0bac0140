#include "services/actuator/proof/highlights.h"

#include <algorithm>

#include "services/actuator/proof/click_kind.h"
#include "services/actuator/proof/element_effect.h"
#include "services/actuator/proof/pixel_change.h"

namespace da::actuator {
namespace {

constexpr Milliseconds kWindowFocusTime{300};
constexpr Milliseconds kLitTimeout{60};
// GTK's buttons take 200 ms to look as before.
constexpr Milliseconds kFades{600};
// Around a control: its shadow, its focus ring.
constexpr int kRing = 8;

}  // namespace

void Highlights::begin(bool on_control) {
  areas_.clear();
  if (!on_control) lit_ = {};
}

// A click gives the window the focus, which redraws much of it: that is no effect of the click on its element.
Result<void> Highlights::activate(const ActionTarget& target, const Checkpoint& checkpoint) {
  if (!target.window || target.window->focused) return ok();
  ASSIGN_OR_RETURN(const auto listed, desktop_.windows().list());
  const auto now = std::ranges::find(listed, target.window->id, &WindowInfo::id);
  if (now == listed.end() || now->focused || now->minimized || !now->blocked_by.empty()) return ok();
  ASSIGN_OR_RETURN(const auto on_top, desktop_.windows().window_at(*target.point));
  if (!on_top || on_top->id != now->id) return ok();
  RETURN_IF_ERROR(checkpoint());
  // A window that takes no focus changes nothing with a click, either.
  if (desktop_.windows().focus(now->id, clock_.now() + kWindowFocusTime)) {
    RETURN_IF_ERROR(desktop_.screen().wait_quiet(kRest, clock_.now() + kLightsUpWithin));
  }
  return check_no_dialog_keeps_focus(now->id);
}

// A dialog of Qt takes the input of all windows of its program, and gets the focus back from each of them. The system
// does not tell which windows it blocks.
Result<void> Highlights::check_no_dialog_keeps_focus(const std::string& target) {
  ASSIGN_OR_RETURN(const auto listed, desktop_.windows().list());
  const auto own = std::ranges::find(listed, target, &WindowInfo::id);
  const auto other = std::ranges::find(listed, true, &WindowInfo::focused);
  if (own == listed.end() || own->focused || other == listed.end()) return ok();
  if (own->pid == 0 || other->pid != own->pid || other->kind != WindowKind::kDialog) return ok();
  // Without its title, which a mask may hide.
  return Error{Code::kAborted,
               "a dialog of its program keeps the focus, so the window takes no input: answer the dialog first"};
}

Result<void> Highlights::light_up(const v1::Action& action, const ActionTarget& target, const Checkpoint& checkpoint) {
  // At its end, the pointer lights up what is below it.
  const auto end = action.has_drag() ? target.drop_point : action.has_scroll() ? target.point : std::nullopt;
  if (end) {
    // The checkpoint of a drag compares the look once, just before its press.
    if (!action.has_drag()) RETURN_IF_ERROR(checkpoint());
    RETURN_IF_ERROR(desktop_.input().move(*end));
    RETURN_IF_ERROR(desktop_.screen().wait_quiet(kRest, clock_.now() + kLightsUpWithin));
  }
  if (!is_click(action) || !target.point) return ok();
  RETURN_IF_ERROR(activate(target, checkpoint));
  if (target.element && is_control(*target.element)) {
    areas_ = {grown(target.element->bounds, kRing)};
    add_what_goes_out(target);
    return ok();
  }
  RETURN_IF_ERROR(checkpoint());
  RETURN_IF_ERROR(desktop_.input().move(*target.point));
  RETURN_IF_ERROR(desktop_.screen().wait_quiet(kRest, clock_.now() + kLightsUpWithin));
  return ok();
}

// The pointer leaves a control, and another one loses the focus: both look otherwise then.
void Highlights::add_what_goes_out(const ActionTarget& target) {
  const auto cursor = desktop_.screen().cursor();
  const bool is_there = cursor && target.element->bounds.contains(*cursor);
  // After a click on a control, that is where the focus and the pointer are.
  const bool known = cursor && lit_.contains(*cursor);
  if (cursor && !is_there && !known) {
    lit_ = {};
    const auto window = desktop_.windows().window_at(*cursor);
    if (window && *window) {
      const auto under = desktop_.ui_tree().likely_at(**window, *cursor, clock_.now() + kLitTimeout);
      if (under && under->element && is_control(*under->element)) lit_ = grown(under->element->bounds, kRing);
    }
  }
  if (!lit_.empty()) areas_.push_back(lit_);
  std::erase_if(fading_, [now = clock_.now()](const Fading& each) { return each.until < now; });
  for (const Fading& each : fading_) areas_.push_back(each.area);
  lit_ = areas_.front();
  fading_.push_back({lit_, clock_.now() + kFades});
  if (known || !target.window) return;
  const auto focused = desktop_.ui_tree().focused(*target.window, clock_.now() + kLitTimeout);
  if (!focused || !focused->element) return;
  const Rect& bounds = focused->element->bounds;
  if (is_control(*focused->element)) return areas_.push_back(grown(bounds, kRing));
  // A field's content counts.
  const Rect outer = grown(bounds, kRing);
  for (const int y : {outer.y, bounds.bottom() - kRing}) areas_.push_back({outer.x, y, outer.width, 2 * kRing});
  for (const int x : {outer.x, bounds.right() - kRing}) areas_.push_back({x, outer.y, 2 * kRing, outer.height});
}

}  // namespace da::actuator
