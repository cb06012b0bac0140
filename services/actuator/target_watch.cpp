#include "services/actuator/target_watch.h"

#include "services/actuator/same_target.h"
#include "services/actuator/secret_gate.h"

namespace da::actuator {
namespace {

// How long an application may take to say whether its element is still there. A secret's field that does not say
// whether it has the focus counts as one that has not, and an element to be clicked as one that is gone.
constexpr Milliseconds kAnswerTimeout{400};
// While text is typed the focused element is asked for no more often: an application that reads keys answers late.
constexpr Milliseconds kFocusInterval{200};
// A double or triple click at its usual speed is over by then: a look in between could make it too slow to count as
// one.
constexpr Milliseconds kClickedInterval{150};

Error stale(std::string what) { return {Code::kAborted, std::move(what)}; }

// A tab moves the focus by itself, from field to field; so do keys that are pressed, which are no text. A text that is
// pasted comes at once, with its tabs.
bool must_stay_in_its_element(const v1::Action& action) {
  if (action.has_paste()) return true;
  const std::string& text = action.has_write() ? action.write().text() : action.keyboard_type().text();
  return (action.has_write() || action.has_keyboard_type()) && text.find('\t') == std::string::npos;
}

bool goes_to_the_keyboard(const v1::Action& action) {
  return action.has_write() || action.has_paste() || action.has_press() || action.has_hotkey() ||
         action.has_keyboard_type();
}

Checkpoint watch_focus(Desktop& desktop, const v1::Action& action, const Target& target, const Clock& clock) {
  const bool secret = types_secret(action);
  return [&desktop, &clock, secret, foreground = *target.foreground,
          focused = secret || must_stay_in_its_element(action) ? target.focused : std::nullopt,
          asked = clock.now()]() mutable -> Result<void> {
    ASSIGN_OR_RETURN(const auto now, desktop.windows().foreground());
    if (!now || now->id != foreground.id) return stale("the keyboard focus went to another window");
    // A secret's field is asked at each chunk, and must answer.
    if (!focused || (!secret && clock.now() - asked < kFocusInterval)) return ok();
    const auto element = desktop.ui_tree().refresh(focused->handle, clock.now() + kAnswerTimeout);
    asked = clock.now();
    const bool gone = !element && (secret || element.error().code == Code::kNotFound);
    if (gone || (element && !element->has(ElementState::kFocused))) {
      return stale("the keyboard focus went to another element");
    }
    return ok();
  };
}

// What is clicked by name may show its innermost part at the point, so it is asked itself.
Result<std::optional<Element>> element_under(Desktop& desktop, const Target& target, const Clock& clock) {
  const MonoTime deadline = clock.now() + kAnswerTimeout;
  if (!target.by_name) {
    ASSIGN_OR_RETURN(auto found, desktop.ui_tree().element_at(*target.window, *target.point, deadline));
    return std::move(found.element);
  }
  const auto element = desktop.ui_tree().refresh(target.element->handle, deadline);
  const bool there = element && element->has(ElementState::kShowing) && element->visible.contains(*target.point);
  return there ? std::optional(*element) : std::nullopt;
}

// Where no element is known, another page shows in the title at best, and what moved in the window's place.
bool same_place_and_page(const WindowInfo& a, const WindowInfo& b) {
  return a.bounds == b.bounds && a.title == b.title;
}

// After the first of several clicks the application may put something else under the pointer.
Checkpoint watch_point(Desktop& desktop, const ScreenMask& mask, const Target& target, const Clock& clock) {
  return [&desktop, &mask, &clock, target, looked = clock.now()]() mutable -> Result<void> {
    const bool due = clock.now() - looked >= kClickedInterval;
    // What is being scrolled into view is not under the pointer yet.
    const bool scrolls = target.by_name && target.element->has(ElementState::kScrolledOut);
    if (due && target.element && !scrolls) {
      ASSIGN_OR_RETURN(const auto element, element_under(desktop, target, clock));
      if (!element || !same_control(*target.element, *element)) return stale("another element came under the pointer");
    }
    const auto& on_top = target.by_name ? target.cover : target.window;
    ASSIGN_OR_RETURN(auto now, desktop.windows().window_at(*target.point));
    if (!same_window(on_top, now)) return stale("another window came under the pointer");
    if (due && now && !target.element) {
      mask.hide(*now);  // As the target's title was.
      if (!same_place_and_page(*on_top, *now)) return stale("the window under the pointer changed");
    }
    if (due) looked = clock.now();
    return ok();
  };
}

}  // namespace

Checkpoint watch_target(Desktop& desktop, const ScreenMask& mask, const v1::Action& action, const Target& target,
                        const Clock& clock) {
  if (goes_to_the_keyboard(action) && target.foreground) return watch_focus(desktop, action, target, clock);
  if ((action.has_mouse() || action.has_ui_click()) && target.point) return watch_point(desktop, mask, target, clock);
  return [] { return ok(); };
}

}  // namespace da::actuator
