#include "services/actuator/same_target.h"

#include <algorithm>
#include <array>

#include "lib/base/text.h"
#include "lib/contract/likeness.h"
#include "services/actuator/masks.h"

namespace da::actuator {
namespace {

using Difference = std::optional<std::string>;

// The name of these is the title of their window, which is compared where it counts.
bool is_top_level(const Element& element) {
  return element.role == "frame" || element.role == "window" || element.role == "dialog";
}

bool same_element(const std::optional<Element>& a, const std::optional<Element>& b) {
  if (!a || !b) return !a && !b;
  constexpr std::array kStates = {ElementState::kEnabled, ElementState::kChecked, ElementState::kEditable,
                                  ElementState::kPassword};
  return same_control(*a, *b) &&
         std::ranges::all_of(kStates, [&](ElementState state) { return a->has(state) == b->has(state); });
}

std::string name_window(const std::optional<WindowInfo>& window) {
  return window ? "\"" + escape_foreign(shown_title(*window), 80) + "\"" : "no window";
}

bool same_look(const std::optional<Neighbourhood>& prepared, const std::optional<Neighbourhood>& now,
               const std::optional<Element>& element) {
  if (!prepared || !now) return prepared.has_value() == now.has_value();
  const auto surface = element ? contract::surface_of(element->role, element->name) : contract::surface_of("", "");
  // A control that moved by no more than its tolerance is known by its name.
  if (prepared->area != now->area) return surface == contract::Surface::kControl;
  return contract::looks_alike(prepared->look, now->look, prepared->area.width, surface);
}

Point origin(const Rect& rect) { return {rect.x, rect.y}; }

// A point of the desktop means the same only while what it lies in stays where it is. A window that grows to the right
// or below leaves a known element in its place; where none is known, all in it may have moved.
bool same_place(const std::optional<WindowInfo>& window, const std::optional<Element>& element,
                const std::optional<WindowInfo>& window_now, const std::optional<Element>& element_now) {
  if (!window || !window_now) return true;
  if (!element || !element_now) return window->bounds == window_now->bounds;
  return origin(window->bounds) == origin(window_now->bounds) &&
         contract::same_place(origin(element->bounds), origin(element_now->bounds));
}

// Where no element is known, the title is all that tells one page of a window from another.
bool same_page(const std::optional<WindowInfo>& window, const std::optional<Element>& element,
               const std::optional<WindowInfo>& now) {
  return element || !window || !now || window->title == now->title;
}

Difference focus_differs(const Target& prepared, const Target& now) {
  if (!same_window(prepared.foreground, now.foreground) ||
      !same_page(prepared.foreground, prepared.focused, now.foreground)) {
    return "the keyboard focus went from " + name_window(prepared.foreground) + " to " + name_window(now.foreground);
  }
  if (!same_element(prepared.focused, now.focused)) return "another element has the keyboard focus";
  return std::nullopt;
}

// What is clicked by name is clicked where it is now; only what a person saw must still be true.
Difference clicked_element_differs(const Target& prepared, const Target& now) {
  const bool comes_into_view = prepared.element->has(ElementState::kScrolledOut);
  if (!comes_into_view && !contract::same_place(*prepared.point, now.point.value_or(Point{})))
    return "the target moved";
  if (same_window(prepared.cover, now.cover)) return std::nullopt;
  return "on top at the target was " + name_window(prepared.cover) + " and is " + name_window(now.cover);
}

Difference place_differs(const Target& prepared, const Target& now) {
  if (!same_place(prepared.window, prepared.element, now.window, now.element)) return "the target moved";
  if (!same_page(prepared.window, prepared.element, now.window)) {
    return "the target window was " + name_window(prepared.window) + " and is " + name_window(now.window);
  }
  if (!same_look(prepared.neighbourhood, now.neighbourhood, prepared.element)) {
    return "the screen around the target changed";
  }
  return std::nullopt;
}

Difference drop_differs(const Target& prepared, const Target& now) {
  if (same_window(prepared.drop_window, now.drop_window) && same_element(prepared.drop_element, now.drop_element) &&
      same_place(prepared.drop_window, prepared.drop_element, now.drop_window, now.drop_element) &&
      same_page(prepared.drop_window, prepared.drop_element, now.drop_window) &&
      same_look(prepared.drop_neighbourhood, now.drop_neighbourhood, prepared.drop_element)) {
    return std::nullopt;
  }
  return "what the drag ends on changed";
}

Difference program_differs(const Target& prepared, const Target& now) {
  if (prepared.launch && now.launch &&
      (prepared.launch->executable != now.launch->executable || prepared.launch->argv != now.launch->argv)) {
    return "the command means another program now";
  }
  if (prepared.file != now.file) return "another file is at the path";
  return std::nullopt;
}

}  // namespace

bool same_window(const std::optional<WindowInfo>& a, const std::optional<WindowInfo>& b) {
  if (!a || !b) return !a && !b;
  return a->id == b->id && a->pid == b->pid && a->process_start == b->process_start;
}

bool same_control(const Element& a, const Element& b) {
  if (a.role != b.role || (a.name != b.name && !is_top_level(a))) return false;
  const bool renewed = a.has(ElementState::kTransient) && b.has(ElementState::kTransient) && a.parent == b.parent &&
                       a.bounds == b.bounds;
  return a.handle == b.handle || renewed;
}

std::optional<std::string> difference(const Target& prepared, const Target& now) {
  if (!now.problem.empty()) return now.problem;
  const bool keyboard = !prepared.point && !prepared.window && !prepared.launch && !prepared.file;
  if (keyboard) return focus_differs(prepared, now);
  if (prepared.button_held != now.button_held) return "a mouse button was pressed or released meanwhile";
  if (!same_window(prepared.window, now.window)) {
    return "the target window was " + name_window(prepared.window) + " and is " + name_window(now.window);
  }
  if (!same_element(prepared.element, now.element)) return "another element is at the target";
  if (prepared.point) {
    if (auto found = prepared.by_name ? clicked_element_differs(prepared, now) : place_differs(prepared, now)) {
      return found;
    }
  }
  if (auto found = drop_differs(prepared, now)) return found;
  return program_differs(prepared, now);
}

}  // namespace da::actuator
