#include "services/actuator/target/element_click.h"

#include <algorithm>
#include <set>

#include "lib/base/text.h"
#include "lib/contract/evidence/roles.h"
#include "lib/contract/place_text.h"
#include "services/actuator/desktop_proto.h"
#include "services/actuator/outcomes.h"
#include "services/actuator/target/held_keys.h"
#include "services/actuator/target/own_action.h"

namespace da::actuator {
namespace {

using contract::role;

constexpr Milliseconds kClickInterval{60};
constexpr Milliseconds kPageTimeout{400};
constexpr Milliseconds kInvokeTimeout{2000};
constexpr Milliseconds kPositionTimeout{400};
// The button is held meanwhile. Some applications are busy with what a press does and answer later.
constexpr Milliseconds kPressedPositionTimeout{1000};
// These open a menu at the press, and are busy with it. GTK closes it again at a release more than 500 ms later.
constexpr Milliseconds kOpeningPositionTimeout{250};
// A row that is not selected by then was not hit or is not selectable.
constexpr Milliseconds kSelectionTimeout{700};
constexpr Milliseconds kSelectionQuiet{20};
// Entries may reach beyond the border of their menu.
constexpr int kMenuBorder = 3;
constexpr int kMaxDepth = 60;
constexpr int kMaxSelectionReads = 100;  // Ends the loop even if the clock stands still.

bool is_single_left(const v1::UiClick& click) {
  const bool left = click.button() == v1::MOUSE_BUTTON_UNSPECIFIED || click.button() == v1::MOUSE_BUTTON_LEFT;
  return left && !click.double_click();
}

// nullopt if the element must be clicked with the pointer.
std::optional<v1::Outcome> by_own_action(Desktop& desktop, const Element& element, const Clock& clock) {
  if (!own_action_means_click(element.role)) return std::nullopt;
  const auto invoked = desktop.ui_tree().invoke(element.handle, clock.now() + kInvokeTimeout);
  if (invoked) return outcome_of(v1::Outcome::KIND_DISPATCHED);
  // The application has the request and may still carry it out.
  if (invoked.error().code == Code::kDeadlineExceeded) {
    return outcome_of(v1::Outcome::KIND_UNKNOWN, invoked.error().message);
  }
  if (invoked.error().code == Code::kUnimplemented) return std::nullopt;
  return failed(invoked.error());
}

bool is_menu_entry(const Element& element) {
  return element.role == role("menu item") || element.role == role("check menu item") ||
         element.role == role("radio menu item") || element.role == role("menu");
}

bool opens_entries(const Element& element) {
  return element.role == role("menu") || element.role == role("popup menu") || element.role == role("combo box");
}

// Calls `found` with each ancestor, the nearest first, until it returns a value.
template <typename Found>
auto climb(Desktop& desktop, const Element& element, const Clock& clock, const Found& found)
    -> decltype(found(element)) {
  ElementHandle above = element.parent;
  for (int depth = 0; depth < kMaxDepth && !above.native.empty(); ++depth) {
    const auto ancestor = desktop.ui_tree().refresh(above, clock.now() + kPositionTimeout);
    if (!ancestor) break;
    if (const auto answer = found(*ancestor)) return answer;
    above = ancestor->parent;
  }
  return std::nullopt;
}

// Whether an element in the area of an unlisted window of its program is a part of that window, not beneath it: an
// entry of a menu or a list, or an element of a container that fills most of it.
bool is_part_of_popup(Desktop& desktop, const Element& element, const Rect& popup, const Clock& clock) {
  const Rect around{popup.x - kMenuBorder, popup.y - kMenuBorder, popup.width + 2 * kMenuBorder,
                    popup.height + 2 * kMenuBorder};
  const auto fills = [&](const Element& part) -> std::optional<bool> {
    if (part.bounds.empty()) return std::nullopt;
    if (intersection(part.bounds, around) != part.bounds) return false;
    return 2 * part.bounds.area() >= popup.area() ? std::optional(true) : std::nullopt;
  };
  // Entries may be told wider than their list.
  const bool half = 2 * intersection(element.visible, around).area() >= element.visible.area();
  if (!half || is_menu_entry(element)) return half;
  const bool is_row = element.role == role("list item");
  std::optional<bool> part = is_row ? std::nullopt : fills(element);
  if (!part) {
    int above = 0;
    part = climb(desktop, element, clock, [&](const Element& ancestor) -> std::optional<bool> {
      if (is_row && ++above <= 2 && opens_entries(ancestor)) return true;
      return fills(ancestor);
    });
  }
  return part.value_or(false);
}

// Whether an unlisted window of the element's own process takes the click.
Result<bool> is_below_popup(Desktop& desktop, const ActionTarget& target, const Clock& clock) {
  ASSIGN_OR_RETURN(const auto popup, desktop.windows().popup_at(*target.point));
  return popup && !is_part_of_popup(desktop, *target.element, *popup, clock);
}

// Whether an open menu takes the click, which only closes it. Another menu of the same bar would open.
Result<bool> is_beside_menu(Desktop& desktop, const ActionTarget& target, const Clock& clock) {
  ASSIGN_OR_RETURN(const auto listed, desktop.windows().list());
  ASSIGN_OR_RETURN(const auto areas, desktop.state().click_areas(listed));
  bool open = false;
  for (const ClickArea& area : areas) {
    if (area.grabs_clicks && area.contains(*target.point)) return false;
    open = open || area.grabs_clicks;
  }
  if (!open || is_menu_entry(*target.element)) return false;
  const auto in_bar = climb(desktop, *target.element, clock, [](const Element& ancestor) {
    return std::optional(opens_entries(ancestor) || ancestor.role == role("menu bar"));
  });
  return !in_bar.value_or(false);
}

// What gets a click at the point, as the system and the page themselves tell. A menu of the element's own process does
// not count where the element is in it.
std::optional<v1::Outcome> covered(Desktop& desktop, const ActionTarget& target, const Clock& clock) {
  const auto above = desktop.windows().window_at(*target.point);
  if (!above) return failed(above.error());
  const bool same_window = *above && target.window && (*above)->id == target.window->id;
  const bool same_process = *above && (*above)->pid != 0 && (!target.window || (*above)->pid == target.window->pid) &&
                            (target.element->pid == 0 || (*above)->pid == target.element->pid);
  bool is_window = false;  // Another one of the same program.
  if (same_process && !same_window && target.window && !target.element->window_id.empty()) {
    const auto listed = desktop.windows().list();
    if (!listed) return failed(listed.error());
    is_window = std::ranges::find(*listed, (*above)->id, &WindowInfo::id) != listed->end();
  }
  const auto below_popup = is_below_popup(desktop, target, clock);
  if (!below_popup) return failed(below_popup.error());
  if (*below_popup || (!same_window && (!same_process || is_window))) {
    return refusal(v1::Outcome::CODE_STALE_TARGET, "something else covers the element");
  }
  const auto beside_menu = is_beside_menu(desktop, target, clock);
  if (!beside_menu) return failed(beside_menu.error());
  if (*beside_menu) {
    return refusal(v1::Outcome::CODE_NOT_ACTIONABLE,
                   "a menu is open, and a click elsewhere only closes it: press esc first");
  }
  const auto in_page = desktop.ui_tree().page_cover(target.element->handle, *target.point, clock.now() + kPageTimeout);
  if (!in_page || !*in_page) return std::nullopt;
  const Element& cover = **in_page;
  return refusal(v1::Outcome::CODE_STALE_TARGET, "another element of the page covers it: the " +
                                                     escape_foreign(cover.role, 40) +
                                                     (cover.name.empty() ? "" : " " + quote_foreign(cover.name, 60)));
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

// The ids of the menus and bubbles that are open.
std::set<std::string> open_popups(Desktop& desktop) {
  std::set<std::string> popups;
  const auto listed = desktop.windows().list();
  if (!listed) return popups;
  const auto areas = desktop.state().click_areas(*listed);
  if (!areas) return popups;
  for (const ClickArea& area : *areas) {
    if (!area.listed && !area.only_shows) popups.insert(area.window.id);
  }
  return popups;
}

// Moves the pointer and checks that the element is still there (some move under a pointer). Presses, checks again, then
// releases; if the element has moved, elsewhere, because buttons and menus do not take that as a click.
v1::Outcome press_and_release(Desktop& desktop, const ActionTarget& target, const Checkpoint& checkpoint,
                              const Clock& clock) {
  const auto not_begun = [](const Error& error) { return from_clicks({.total = 1, .stopped = error}); };
  const auto stopped = [](const Error& error) { return from_progress({.total = 1, .stopped = error}); };
  const Error moved_away{Code::kAborted, "another element came under the pointer in the last moment"};
  const bool is_menu = target.element->role == role("menu");
  const auto open_before = is_menu ? open_popups(desktop) : std::set<std::string>();
  if (const auto still = checkpoint(); !still) return not_begun(still.error());
  if (const auto there = desktop.input().move(*target.point); !there) return not_begun(there.error());
  const auto before = desktop.ui_tree().refresh(target.element->handle, clock.now() + kPositionTimeout);
  if (!before) return not_begun({Code::kAborted, "the element is gone or does not answer: " + before.error().message});
  if (!is_at_point(target, *before)) return not_begun(moved_away);
  // A submenu that has opened under the pointer would be closed by a click.
  if (is_menu && !std::ranges::includes(open_before, open_popups(desktop)))
    return from_progress({.done = 1, .total = 1});
  if (const auto pressed = desktop.input().button_down(*target.point, Button::kLeft); !pressed) {
    return stopped(pressed.error());
  }
  const bool opens = target.element->role == role("menu") || target.element->role == role("combo box");
  const auto after = desktop.ui_tree().refresh(
      target.element->handle, clock.now() + (opens ? kOpeningPositionTimeout : kPressedPositionTimeout));
  const bool moved = after && !is_at_point(target, *after);  // The press may have closed it.
  const Point release_at =
      moved && target.window ? Point{target.window->bounds.x, target.window->bounds.y} : *target.point;
  if (const auto released = desktop.input().button_up(release_at, Button::kLeft); !released) {
    return stopped(released.error());
  }
  if (!moved) return from_progress({.done = 1, .total = 1});
  v1::Outcome outcome = stopped(moved_away);
  // These act on the release. The press alone may have selected a row.
  if (own_action_means_click(target.element->role)) outcome.set_kind(v1::Outcome::KIND_REFUSED);
  return outcome;
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
  if (auto outcome = covered(desktop, target, clock)) return *std::move(outcome);
  v1::Outcome clicked = while_holding(desktop, click.hold(), checkpoint, [&] {
    if (single) return press_and_release(desktop, target, checkpoint, clock);
    return from_clicks(desktop.input().click(*target.point, to_button(click.button()), click.double_click() ? 2 : 1,
                                             kClickInterval, checkpoint));
  });
  // With ctrl, a click may also end a selection.
  const bool selects = single && !holds_keys && element.has(ElementState::kSelectable);
  if (!selects || clicked.kind() != v1::Outcome::KIND_DISPATCHED) return clicked;
  return selection_after(desktop, element, std::move(clicked), clock);
}

}  // namespace da::actuator
