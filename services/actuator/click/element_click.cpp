#include "services/actuator/click/element_click.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <utility>

#include "lib/contract/evidence/roles.h"
#include "lib/contract/place_text.h"
#include "services/actuator/click/element_cover.h"
#include "services/actuator/click/own_action.h"
#include "services/actuator/click/page_press.h"
#include "services/actuator/desktop_proto.h"
#include "services/actuator/outcomes.h"
#include "services/actuator/target/held_keys.h"

namespace da::actuator {
namespace {

using contract::role;

constexpr Milliseconds kClickInterval{60};
constexpr Milliseconds kInvokeTimeout{2000};
constexpr Milliseconds kBetweenClicksTimeout{40};
constexpr Milliseconds kPositionTimeout{400};
// The button is held meanwhile. Some applications are busy with what a press does and answer later.
constexpr Milliseconds kPressedPositionTimeout{1000};
// These open a menu at the press, and are busy with it. GTK closes it again at a release more than 500 ms later.
constexpr Milliseconds kOpeningPositionTimeout{250};
// A row that is not selected by then was not hit or is not selectable.
constexpr Milliseconds kSelectionTimeout{700};
constexpr Milliseconds kSelectionQuiet{20};
constexpr int kMaxDepth = 60;
constexpr int kMaxSelectionReads = 100;  // Ends the loop even if the clock stands still.

bool is_single_left(const v1::UiClick& click) {
  const bool left = click.button() == v1::MOUSE_BUTTON_UNSPECIFIED || click.button() == v1::MOUSE_BUTTON_LEFT;
  return left && !click.double_click();
}

// These decide what a click does.
bool has_same_state(const Element& element, const Element& now) {
  constexpr std::array kDeciding{ElementState::kEnabled, ElementState::kChecked};
  return std::ranges::all_of(kDeciding, [&](ElementState state) { return element.has(state) == now.has(state); });
}

Error changed_state() { return {Code::kAborted, "the element was enabled, disabled or checked in the last moment"}; }

// nullopt if the element must be clicked with the pointer.
std::optional<v1::Outcome> by_own_action(Desktop& desktop, const Element& element, const Clock& clock) {
  if (!own_action_means_click(element.role)) return std::nullopt;
  if (!desktop.ui_tree().may_invoke(element.handle, clock.now() + kPositionTimeout)) return std::nullopt;
  const auto now = desktop.ui_tree().refresh(element.handle, clock.now() + kPositionTimeout);
  if (now && !same_control(element, *now)) {
    return from_clicks({.total = 1, .stopped = Error{Code::kAborted, "it became another element in the last moment"}});
  }
  if (now && !has_same_state(element, *now)) return from_clicks({.total = 1, .stopped = changed_state()});
  const auto invoked = desktop.ui_tree().invoke(element.handle, clock.now() + kInvokeTimeout);
  if (invoked) return outcome_of(v1::Outcome::KIND_DISPATCHED);
  // The application has the request and may still carry it out.
  if (invoked.error().code == Code::kDeadlineExceeded) {
    return outcome_of(v1::Outcome::KIND_UNKNOWN, invoked.error().message);
  }
  if (invoked.error().code == Code::kUnimplemented) return std::nullopt;
  return failed(invoked.error());
}

// The desktop is a rectangle around the monitors: the pointer itself cannot reach each of its points.
std::optional<v1::Outcome> outside(Desktop& desktop, const ActionTarget& target) {
  const auto layout = desktop.screen().layout();
  if (!layout) return failed(layout.error());
  if (layout->desktop.contains(*target.point)) return std::nullopt;
  return refusal(v1::Outcome::CODE_NOT_ACTIONABLE, "the element is outside of the desktop, " +
                                                       contract::place_text(*target.point) +
                                                       ": move its window onto the desktop");
}

bool is_at_point(const ActionTarget& target, const Element& now) {
  return now.visible.contains(*target.point) && same_control(*target.element, now);
}

// Where windows take clicks, front to back; empty if that is unknown.
std::vector<ClickArea> click_areas(Desktop& desktop) {
  const auto listed = desktop.windows().list();
  if (!listed) return {};
  return desktop.state().click_areas(*listed).value_or(std::vector<ClickArea>());
}

// The ids of the menus and bubbles that are open.
std::set<std::string> open_popups(std::span<const ClickArea> areas) {
  std::set<std::string> popups;
  for (const ClickArea& area : areas) {
    if (!area.listed && !area.only_shows) popups.insert(area.window.id);
  }
  return popups;
}

// A tooltip goes away when the pointer arrives. One that stays would get the click.
bool is_under_tooltip(std::span<const ClickArea> areas, Point at) {
  const auto top = std::ranges::find_if(areas, [at](const ClickArea& area) { return area.contains(at); });
  return top != areas.end() && top->only_shows;
}

// Moves the pointer and checks that the element is still there (some move under a pointer). Presses, checks again, then
// releases; if the element has moved, elsewhere, because buttons and menus do not take that as a click.
v1::Outcome press_and_release(Desktop& desktop, const ActionTarget& target, const Checkpoint& checkpoint,
                              const Clock& clock) {
  const auto not_begun = [](const Error& error) { return from_clicks({.total = 1, .stopped = error}); };
  const auto stopped = [](const Error& error) { return from_progress({.total = 1, .stopped = error}); };
  const Error moved_away{Code::kAborted, "another element came under the pointer in the last moment"};
  const bool is_menu = target.element->role == role("menu");
  const auto open_before = is_menu ? open_popups(click_areas(desktop)) : std::set<std::string>();
  const auto page = PagePress::on(desktop, target, clock);
  if (!page) return not_begun(page.error());
  if (const auto still = checkpoint(); !still) return not_begun(still.error());
  if (const auto there = desktop.input().move(*target.point); !there) return not_begun(there.error());
  const auto before = desktop.ui_tree().refresh(target.element->handle, clock.now() + kPositionTimeout);
  if (!before) return not_begun({Code::kAborted, "the element is gone or does not answer: " + before.error().message});
  if (!is_at_point(target, *before)) return not_begun(moved_away);
  if (!has_same_state(*target.element, *before)) return not_begun(changed_state());
  if (*page) {
    if (const auto clear = check_page_cover(desktop, target, clock); !clear) return not_begun(clear.error());
  }
  const auto areas = click_areas(desktop);
  // A submenu that has opened under the pointer would be closed by a click.
  if (is_menu && !std::ranges::includes(open_before, open_popups(areas))) return from_progress({.done = 1, .total = 1});
  if (is_under_tooltip(areas, *target.point)) {
    return not_begun({Code::kAborted, "a tooltip or notification is over the element"});
  }
  if (const auto still = checkpoint(); !still) return not_begun(still.error());
  if (const auto pressed = desktop.input().button_down({*target.point, target.cover}, Button::kLeft); !pressed) {
    return stopped(pressed.error());
  }
  const bool opens = target.element->role == role("menu") || target.element->role == role("combo box");
  const auto after = desktop.ui_tree().refresh(
      target.element->handle, clock.now() + (opens ? kOpeningPositionTimeout : kPressedPositionTimeout));
  const bool moved = after && !is_at_point(target, *after);  // The press may have closed it.
  const bool astray = !moved && *page && !(*page)->reached_document(checkpoint);
  const Point release_at =
      (moved || astray) && target.window ? Point{target.window->bounds.x, target.window->bounds.y} : *target.point;
  if (const auto released = desktop.input().button_up(release_at, Button::kLeft); !released) {
    return stopped(released.error());
  }
  if (moved) return stopped(moved_away);
  if (astray) return stopped(press_went_astray());
  return from_progress({.done = 1, .total = 1});
}

bool same_as_before(const Element& before, const Element& now) {
  return before.states == now.states && before.name == now.name && before.text == now.text &&
         before.bounds == now.bounds;
}

// Whether the element is part of a web page, as far as the application tells.
bool is_in_page(Desktop& desktop, const Element& element, MonoTime deadline) {
  ElementHandle container = element.parent;
  for (int level = 0; level < kMaxDepth && !container.native.empty(); ++level) {
    const auto found = desktop.ui_tree().refresh(container, deadline);
    if (!found) return false;
    if (found->role == role("document web") || found->role == role("document frame")) return true;
    container = found->parent;
  }
  return false;
}

// Reads from a selectable element what the click has done. Browsers call the items of a page selectable, but whether a
// click selects them is up to the page's script.
v1::Outcome selection_after(Desktop& desktop, const Element& before, v1::Outcome clicked, const Clock& clock) {
  const MonoTime deadline = clock.now() + kSelectionTimeout;
  for (int reads = 1;; ++reads) {
    const auto now = desktop.ui_tree().refresh(before.handle, deadline);
    // Its window was closed or its list was filled again.
    if (!now) return clicked;
    if (now->has(ElementState::kSelected)) {
      clicked.set_kind(v1::Outcome::KIND_CONFIRMED);
      clicked.set_message("it is selected");
      return clicked;
    }
    if (clock.now() >= deadline || reads >= kMaxSelectionReads) {
      if (!same_as_before(before, *now)) return clicked;
      clicked.set_message("it was clicked, but is not selected");
      if (is_in_page(desktop, *now, clock.now() + kPositionTimeout)) return clicked;
      clicked.set_kind(v1::Outcome::KIND_NO_EFFECT);
      return clicked;
    }
    // Reads again after each change of the screen, and without one, because the state may change silently.
    if (!desktop.screen().wait_quiet(kSelectionQuiet, std::min(deadline, clock.now() + 3 * kSelectionQuiet))) {
      return clicked;
    }
  }
}

}  // namespace

v1::Outcome click_element(Desktop& desktop, const v1::UiClick& click, const ActionTarget& target,
                          const Checkpoint& checkpoint, const Clock& clock) {
  const Element& element = *target.element;
  const bool single = is_single_left(click);
  const bool holds_keys = click.hold() != v1::HELD_KEYS_UNSPECIFIED;
  // The element's own action knows no keys.
  if (single && !holds_keys) {
    if (auto outcome = by_own_action(desktop, element, clock)) return *std::move(outcome);
  }
  if (auto outcome = outside(desktop, target)) return *std::move(outcome);
  if (auto outcome = refusal_of_covered(desktop, target, clock)) return *std::move(outcome);
  // The first click of a double click may move the element, so that the second would hit another one.
  bool first = true;
  const Checkpoint still_there = [&]() -> Result<void> {
    RETURN_IF_ERROR(checkpoint());
    const auto now = desktop.ui_tree().refresh(element.handle, clock.now() + kBetweenClicksTimeout);
    if (std::exchange(first, false)) return !now || has_same_state(element, *now) ? ok() : changed_state();
    if (!now || is_at_point(target, *now) || now->bounds.empty()) return ok();
    return Error{Code::kAborted, "another element came under the pointer after the first click"};
  };
  v1::Outcome clicked = while_holding(desktop, click.hold(), checkpoint, [&] {
    if (single) return press_and_release(desktop, target, checkpoint, clock);
    return from_clicks(desktop.input().click({*target.point, target.cover}, to_button(click.button()),
                                             click.double_click() ? 2 : 1, kClickInterval, still_there));
  });
  // With ctrl, a click may also end a selection. GTK reports an entry of a menu as selected once the pointer is
  // there.
  const bool selects = single && !holds_keys && element.has(ElementState::kSelectable) && !is_menu_entry(element);
  if (!selects || clicked.kind() != v1::Outcome::KIND_DISPATCHED) return clicked;
  return selection_after(desktop, element, std::move(clicked), clock);
}

}  // namespace da::actuator
