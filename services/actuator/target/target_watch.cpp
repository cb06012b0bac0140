#include "services/actuator/target/target_watch.h"

#include <utility>

#include "lib/contract/evidence/evidence.h"
#include "lib/contract/evidence/visual_similarity.h"
#include "services/actuator/privacy/secret_gate.h"

namespace da::actuator {
namespace {

// Without an answer by then, a field for a secret counts as unfocused, and an element to be clicked as gone.
constexpr Milliseconds kStillThereTimeout{400};
// The focused element is not read more often during typing, because an application that reads keys answers late.
constexpr Milliseconds kFocusInterval{200};
// Longer than a usual double or triple click, which a read in between could slow down too much to count as one.
constexpr Milliseconds kClickedInterval{150};

Error stale(std::string what) { return {Code::kAborted, std::move(what)}; }

Result<void> check_look(Desktop& desktop, const ActionTarget& target, contract::Surface surface) {
  const Neighbourhood& before = *target.neighbourhood;
  ASSIGN_OR_RETURN(const auto now, look_around(desktop, *target.point, target.element));
  if (now.area == before.area && contract::looks_alike(before.look, now.look, now.area.width, surface)) return ok();
  return stale("the screen around the target has changed");
}

// False for keys and for text with a tab, which may move the focus to the next field. Pasted text does not: it arrives
// as a whole, with its tabs.
bool must_keep_focus(const v1::Action& action) {
  if (action.has_paste()) return true;
  const std::string& text = action.has_write() ? action.write().text() : action.keyboard_type().text();
  return (action.has_write() || action.has_keyboard_type()) && text.find('\t') == std::string::npos;
}

Checkpoint watch_focus(Desktop& desktop, const v1::Action& action, const ActionTarget& target, const Clock& clock) {
  const bool secret = !typed_secrets(action).empty();
  return [&desktop, &clock, secret, receiver = *target.receiver,
          focused = secret || must_keep_focus(action) ? target.focused : std::nullopt,
          asked = clock.now()]() mutable -> Result<void> {
    ASSIGN_OR_RETURN(const bool same_window, desktop.state().still_receives(receiver));
    if (!same_window) return stale("the keyboard focus went to another window");
    // A field for a secret is read before each chunk and must answer.
    if (!focused || (!secret && clock.now() - asked < kFocusInterval)) return ok();
    const auto element = desktop.ui_tree().refresh(focused->handle, clock.now() + kStillThereTimeout);
    asked = clock.now();
    const bool gone = !element && (secret || element.error().code == Code::kNotFound);
    if (gone || (element && !element->has(ElementState::kFocused))) {
      return stale("the keyboard focus went to another element");
    }
    return ok();
  };
}

// Reads an element that is clicked by name directly, because element_at() may return a child of it.
Result<std::optional<Element>> element_under(Desktop& desktop, const ActionTarget& target, const Clock& clock) {
  const MonoTime deadline = clock.now() + kStillThereTimeout;
  if (!target.by_name) {
    ASSIGN_OR_RETURN(auto found, desktop.ui_tree().element_at(*target.window, *target.point, deadline));
    return std::move(found.element);
  }
  const auto element = desktop.ui_tree().refresh(target.element->handle, deadline);
  const bool there = element && element->has(ElementState::kShowing) && element->visible.contains(*target.point);
  return there ? std::optional(*element) : std::nullopt;
}

// Without a known element, only the title reveals another page, and only the window's place a move.
bool same_place_and_page(const WindowInfo& a, const WindowInfo& b) {
  return a.bounds == b.bounds && a.title == b.title;
}

// Where no element is known, only its look tells what gets the click. It may light up under the pointer.
Result<void> check_look_of_click(Desktop& desktop, const ActionTarget& target) {
  if (target.element || !target.neighbourhood) return ok();
  const auto cursor = desktop.screen().cursor();
  const bool lit = cursor && target.neighbourhood->area.contains(*cursor);
  return check_look(desktop, target, lit ? contract::Surface::kControl : contract::Surface::kContent);
}

// The application may put something else under the pointer after the first of several clicks.
Checkpoint watch_point(Desktop& desktop, const ScreenMask& mask, const ActionTarget& target, const Clock& clock) {
  return [&desktop, &mask, &clock, target, looked = clock.now()]() mutable -> Result<void> {
    const bool due = clock.now() - looked >= kClickedInterval;
    // An element that is being scrolled into view is not under the pointer yet.
    const bool scrolls = target.by_name && target.element->has(ElementState::kScrolledOut);
    if (due && target.element && !scrolls) {
      ASSIGN_OR_RETURN(const auto element, element_under(desktop, target, clock));
      if (!element || !same_control(*target.element, *element)) return stale("another element came under the pointer");
    }
    const auto& on_top = target.by_name ? target.cover : target.window;
    ASSIGN_OR_RETURN(auto now, desktop.windows().window_at(*target.point));
    if (!same_window(on_top, now)) return stale("another window came under the pointer");
    if (due && now && !target.element) {
      mask.hide(*now);  // The target's title was masked, too.
      if (!same_place_and_page(*on_top, *now)) return stale("the window under the pointer changed");
    }
    if (due) looked = clock.now();
    return check_look_of_click(desktop, target);
  };
}

// Window managers raise a window that is pressed, which may then lie over the place of the drop. What a program shows
// where it is dragged, a picture or a part that has left its window, is new.
Result<void> check_drop_window(Desktop& desktop, const ActionTarget& target, const std::vector<WindowInfo>& before) {
  if (!target.drop_point || !target.drop_window) return ok();
  const auto cursor = desktop.screen().cursor();
  if (!cursor || *cursor != *target.drop_point) return ok();
  ASSIGN_OR_RETURN(const auto now, desktop.windows().window_at(*target.drop_point));
  if (!now || now->id == target.drop_window->id) return ok();
  // A window that is dragged by its title bar goes along.
  if (target.window && now->id == target.window->id && now->bounds != target.window->bounds) return ok();
  if (std::ranges::find(before, now->id, &WindowInfo::id) == before.end()) return ok();
  return stale("another window came over the end of the drag");
}

// The look before the button goes down only: what is dragged looks otherwise then.
Checkpoint watch_drag(Desktop& desktop, const ActionTarget& target) {
  return [&desktop, target, before = std::optional<std::vector<WindowInfo>>()]() mutable -> Result<void> {
    if (before) return check_drop_window(desktop, target, *before);
    ASSIGN_OR_RETURN(before, desktop.windows().list());
    if (!target.neighbourhood) return ok();
    const bool known = target.element.has_value();
    return check_look(desktop, target,
                      contract::surface_of(known ? target.element->role : "", known ? target.element->name : ""));
  };
}

}  // namespace

Checkpoint watch_target(Desktop& desktop, const ScreenMask& mask, const v1::Action& action, const ActionTarget& target,
                        const Clock& clock) {
  if (contract::is_keyboard_tool(action) && target.receiver) return watch_focus(desktop, action, target, clock);
  if ((action.has_mouse() || action.has_ui_click()) && target.point) return watch_point(desktop, mask, target, clock);
  if (action.has_drag() && target.point) return watch_drag(desktop, target);
  return [] { return ok(); };
}

}  // namespace da::actuator
