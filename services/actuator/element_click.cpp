#include "services/actuator/element_click.h"

#include "services/actuator/outcomes.h"
#include "services/actuator/own_action.h"
#include "services/actuator/same_target.h"

namespace da::actuator {
namespace {

constexpr Milliseconds kClickInterval{60};
constexpr Milliseconds kInvokeTimeout{2000};
constexpr Milliseconds kAnswerTimeout{100};
// A row that is not selected by then was not hit, or cannot be selected.
constexpr Milliseconds kSelectionTimeout{700};
constexpr Milliseconds kSelectionQuiet{20};
constexpr int kMostLooks = 100;  // Where the clock stands still, it ends all the same.

bool is_single_left(const v1::UiClick& click) {
  const bool left = click.button() == v1::MOUSE_BUTTON_UNSPECIFIED || click.button() == v1::MOUSE_BUTTON_LEFT;
  return left && !click.double_click();
}

// Unset where the element has to be clicked with the pointer.
std::optional<v1::Outcome> by_own_action(Desktop& desktop, const Element& element, const Clock& clock) {
  if (!own_action_means_click(element.role)) return std::nullopt;
  const auto invoked = desktop.ui_tree().invoke(element.handle, clock.now() + kInvokeTimeout);
  if (invoked) return outcome_of(v1::Outcome::KIND_DISPATCHED, "by the element's own action");
  // It was asked, and may do it as soon as it wakes up.
  if (invoked.error().code == Code::kDeadlineExceeded) {
    return outcome_of(v1::Outcome::KIND_UNKNOWN, invoked.error().message);
  }
  if (invoked.error().code == Code::kUnimplemented) return std::nullopt;
  return failed(invoked.error());
}

std::optional<v1::Outcome> covered(Desktop& desktop, const Target& target) {
  const auto above = desktop.windows().window_at(*target.point);
  if (!above) return failed(above.error());
  const bool same_window = *above && target.window && (*above)->id == target.window->id;
  const bool same_process = *above && (*above)->pid != 0 && (!target.window || (*above)->pid == target.window->pid) &&
                            (target.element->pid == 0 || (*above)->pid == target.element->pid);
  const bool own = same_window || same_process;
  if (own) return std::nullopt;
  v1::Outcome outcome = outcome_of(v1::Outcome::KIND_REFUSED, "something else covers the element");
  outcome.set_code(v1::Outcome::CODE_STALE_TARGET);
  return outcome;
}

// One that is gone, or does not answer, says nothing of where it is.
bool has_moved(Desktop& desktop, const Target& target, const Clock& clock) {
  const auto now = desktop.ui_tree().refresh(target.element->handle, clock.now() + kAnswerTimeout);
  return now && !(now->visible.contains(*target.point) && same_control(*target.element, *now));
}

// Moves there and looks whether the element is still where it was: some change under the pointer. Presses, looks again,
// and only then releases: what moved away in the last moment is let go elsewhere, which buttons and menus take as no
// click.
v1::Outcome press_and_release(Desktop& desktop, const Target& target, const Checkpoint& checkpoint,
                              const Clock& clock) {
  const auto not_begun = [](const Error& error) { return from_clicks({.total = 1, .stopped = error}); };
  const auto stopped = [](const Error& error) { return from_progress({.total = 1, .stopped = error}); };
  const Error moved_away{Code::kAborted, "another element came under the pointer in the last moment"};
  if (const auto still = checkpoint(); !still) return not_begun(still.error());
  if (const auto there = desktop.input().move(*target.point); !there) return stopped(there.error());
  if (has_moved(desktop, target, clock)) return not_begun(moved_away);
  if (const auto pressed = desktop.input().button_down(*target.point, Button::kLeft); !pressed) {
    return stopped(pressed.error());
  }
  const bool moved = has_moved(desktop, target, clock);
  const Point release_at =
      moved && target.window ? Point{target.window->bounds.x, target.window->bounds.y} : *target.point;
  if (const auto released = desktop.input().button_up(release_at, Button::kLeft); !released) {
    return stopped(released.error());
  }
  if (!moved) return from_progress({.done = 1, .total = 1});
  v1::Outcome outcome = stopped(moved_away);
  // These act when they are released; a row may have been selected by the press.
  if (own_action_means_click(target.element->role)) outcome.set_kind(v1::Outcome::KIND_REFUSED);
  return outcome;
}

bool same_as_before(const Element& before, const Element& now) {
  return before.states == now.states && before.name == now.name && before.text == now.text &&
         before.bounds == now.bounds;
}

// What the click has done to an element that can be selected.
v1::Outcome selection_after(Desktop& desktop, const Element& before, v1::Outcome clicked, const Clock& clock) {
  const MonoTime deadline = clock.now() + kSelectionTimeout;
  for (int looks = 1;; ++looks) {
    const auto now = desktop.ui_tree().refresh(before.handle, deadline);
    // Its window closed, or its list was filled anew.
    if (!now) return clicked;
    if (now->has(ElementState::kSelected)) {
      clicked.set_kind(v1::Outcome::KIND_CONFIRMED);
      clicked.set_message("it is selected");
      return clicked;
    }
    if (clock.now() >= deadline || looks >= kMostLooks) {
      if (!same_as_before(before, *now)) return clicked;
      clicked.set_kind(v1::Outcome::KIND_NO_EFFECT);
      clicked.set_message("it was clicked, but is not selected");
      return clicked;
    }
    // Each change of the screen is a reason to look again; the state may change without one.
    if (!desktop.screen().wait_quiet(kSelectionQuiet, std::min(deadline, clock.now() + 3 * kSelectionQuiet))) {
      return clicked;
    }
  }
}

Button button_of(const v1::UiClick& click) {
  switch (click.button()) {
    case v1::MOUSE_BUTTON_RIGHT: return Button::kRight;
    case v1::MOUSE_BUTTON_MIDDLE: return Button::kMiddle;
    default: return Button::kLeft;
  }
}

}  // namespace

v1::Outcome click_element(Desktop& desktop, const v1::UiClick& click, const Target& target,
                          const Checkpoint& checkpoint, const Clock& clock) {
  const Element& element = *target.element;
  if (is_single_left(click)) {
    if (auto outcome = by_own_action(desktop, element, clock)) return *std::move(outcome);
  }
  if (auto refusal = covered(desktop, target)) return *std::move(refusal);
  const bool single = is_single_left(click);
  v1::Outcome clicked =
      single ? press_and_release(desktop, target, checkpoint, clock)
             : from_clicks(desktop.input().click(*target.point, button_of(click), click.double_click() ? 2 : 1,
                                                 kClickInterval, checkpoint));
  const bool selects = single && element.has(ElementState::kSelectable);
  if (!selects || clicked.kind() != v1::Outcome::KIND_DISPATCHED) return clicked;
  return selection_after(desktop, element, std::move(clicked), clock);
}

}  // namespace da::actuator
