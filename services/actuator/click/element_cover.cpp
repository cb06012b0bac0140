#include "services/actuator/click/element_cover.h"

#include <algorithm>
#include <functional>

#include "lib/base/rect_fit.h"
#include "lib/base/text.h"
#include "lib/contract/evidence/roles.h"
#include "services/actuator/outcomes.h"

namespace da::actuator {
namespace {

using contract::role;

constexpr Milliseconds kCoverTimeout{400};
// Chromium is asked several times, at several places.
constexpr Milliseconds kPageTimeout{3'000};
// Entries may reach beyond the border of their menu.
constexpr int kMenuBorder = 3;
constexpr int kMostAncestors = 60;

bool opens_entries(const Element& element) {
  return element.role == role("menu") || element.role == role("popup menu") || element.role == role("combo box");
}

// Calls `found` with each ancestor, the nearest first, until it returns a value.
std::optional<bool> climb(Desktop& desktop, const Element& element, const Clock& clock,
                          const std::function<std::optional<bool>(const Element&)>& found) {
  ElementHandle above = element.parent;
  for (int depth = 0; depth < kMostAncestors && !above.native.empty(); ++depth) {
    const auto ancestor = desktop.ui_tree().refresh(above, clock.now() + kCoverTimeout);
    if (!ancestor) break;
    if (const auto answer = found(*ancestor)) return answer;
    above = ancestor->parent;
  }
  return std::nullopt;
}

// Whether an element in the area of an unlisted window of its program is a part of that window, not beneath it: an
// entry of a menu or a list, or an element of a container that fills most of it and fits it better than `own`, its
// listed window.
bool is_part_of_popup(Desktop& desktop, const Element& element, const Rect& popup, const Rect& own,
                      const Clock& clock) {
  const Rect around{popup.x - kMenuBorder, popup.y - kMenuBorder, popup.width + 2 * kMenuBorder,
                    popup.height + 2 * kMenuBorder};
  const auto fills = [&](const Element& part) -> std::optional<bool> {
    if (part.bounds.empty()) return std::nullopt;
    if (intersection(part.bounds, around) != part.bounds) return false;
    if (2 * part.bounds.area() < popup.area()) return std::nullopt;
    return fit(part.bounds, popup) >= fit(part.bounds, own);
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

// Returns the bounds of the window with this id; they are empty if no listed window has it.
Result<Rect> listed_bounds(Desktop& desktop, const std::string& window_id) {
  ASSIGN_OR_RETURN(const auto listed, desktop.windows().list());
  const auto found = std::ranges::find(listed, window_id, &WindowInfo::id);
  return found == listed.end() ? Rect{} : found->bounds;
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
  if (target.element->parent.native.empty()) return true;
  const auto parent = desktop.ui_tree().refresh(target.element->parent, clock.now() + kCoverTimeout);
  return !parent || (!opens_entries(*parent) && parent->role != role("menu bar"));
}

// A menu that is as high as the screen may be longer. Its ends are arrows then, which scroll it.
Result<bool> may_be_arrow(Desktop& desktop, Point at, const Rect& menu) {
  constexpr int kArrow = 24;
  ASSIGN_OR_RETURN(const auto layout, desktop.screen().layout());
  const bool high = 10 * menu.height >= 9 * layout.desktop.height;
  return high && (at.y < menu.y + kArrow || at.y >= menu.bottom() - kArrow);
}

}  // namespace

bool is_menu_entry(const Element& element) {
  return element.role == role("menu item") || element.role == role("check menu item") ||
         element.role == role("radio menu item") || element.role == role("menu");
}

std::optional<v1::Outcome> refusal_of_covered(Desktop& desktop, const ActionTarget& target, const Clock& clock) {
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
  const auto popup = desktop.windows().popup_at(*target.point);
  if (!popup) return failed(popup.error());
  bool in_popup = false;
  if (*popup) {
    const auto own = listed_bounds(desktop, target.element->window_id);
    if (!own) return failed(own.error());
    in_popup = is_part_of_popup(desktop, *target.element, **popup, *own, clock);
  }
  if ((*popup && !in_popup) || (!same_window && (!same_process || is_window))) {
    return refusal(v1::Outcome::CODE_STALE_TARGET, "something else covers the element");
  }
  const auto beside_menu = is_beside_menu(desktop, target, clock);
  if (!beside_menu) return failed(beside_menu.error());
  if (*beside_menu) {
    return refusal(v1::Outcome::CODE_NOT_ACTIONABLE,
                   "a menu is open, and a click elsewhere only closes it: press esc first");
  }
  if (in_popup) {
    const auto arrow = is_menu_entry(*target.element) ? may_be_arrow(desktop, *target.point, **popup) : false;
    if (!arrow) return failed(arrow.error());
    if (!*arrow) return std::nullopt;  // It is no part of the page beneath.
    return refusal(
        v1::Outcome::CODE_UNSUPPORTED,
        "its menu is longer than the screen, and an arrow of the menu may cover it: choose it with the keys");
  }
  if (const auto clear = check_page_cover(desktop, target, clock); !clear)
    return refusal(v1::Outcome::CODE_STALE_TARGET, clear.error().message);
  return std::nullopt;
}

Result<void> check_page_cover(Desktop& desktop, const ActionTarget& target, const Clock& clock) {
  const auto in_page = desktop.ui_tree().page_cover(target.element->handle, *target.point, clock.now() + kPageTimeout);
  if (!in_page && in_page.error().code == Code::kDeadlineExceeded)
    return Error{Code::kAborted, "its application does not tell whether another element of the page covers it"};
  if (!in_page || !*in_page) return ok();
  const Element& cover = **in_page;
  return Error{Code::kAborted, "another element of the page covers it: the " + escape_foreign(cover.role, 40) +
                                   (cover.name.empty() ? "" : " " + quote_foreign(cover.name, 60))};
}

}  // namespace da::actuator
