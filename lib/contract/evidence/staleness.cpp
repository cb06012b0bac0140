#include "lib/contract/evidence/staleness.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "lib/base/text.h"
#include "lib/contract/coordinates.h"
#include "lib/contract/evidence/element_state.h"
#include "lib/contract/evidence/evidence.h"
#include "lib/contract/evidence/visual_similarity.h"

namespace da::contract {
namespace {

using Difference = std::optional<std::string>;

constexpr const char* kLookChanged = "the screen around the target has changed";
constexpr const char* kMoved = "the target has moved";

// Larger than a look. Applications may report any coordinates, which must not overflow.
constexpr std::int64_t kFarPixels = 10'000;

Point origin_of(const v1::Rect& rect) { return {rect.x(), rect.y()}; }

bool same_rect(const v1::Rect& a, const v1::Rect& b) { return from_proto(a) == from_proto(b); }

std::string shown(const v1::Window& window) {
  const std::string program = base_name(window.executable());
  return program.empty() ? "one of an unknown program" : "one of " + escape_foreign(program, 40);
}

std::string shown(const v1::UiNode& node) {
  return node.role().empty() ? "an element" : "a " + escape_foreign(node.role(), 40);
}

Difference window_differs(const char* which, bool had, const v1::Window& before, bool has, const v1::Window& now) {
  if (!had && !has) return std::nullopt;
  if (had && has && same_window(before, now)) return std::nullopt;
  const std::string then = had ? shown(before) : "none";
  const std::string today = has ? shown(now) : "none";
  return std::string(which) + " was " + then + " and is now " + (then == today ? "another " : "") + today;
}

Difference passed_windows_differ(const v1::Evidence& before, const v1::Evidence& now) {
  const bool same = std::ranges::equal(before.passed_windows(), now.passed_windows(), same_window);
  if (same) return std::nullopt;
  return "the windows that the drag passes have changed";
}

// The name of a top-level element is its window's title, which may change at any time.
bool is_top_level(const v1::UiNode& node) {
  return node.role() == "frame" || node.role() == "window" || node.role() == "dialog";
}

// Qt may create new objects for the same cells on every query.
bool is_renewed(const v1::UiNode& a, const v1::UiNode& b) {
  return has_state(a, v1::UI_STATE_TRANSIENT) && has_state(b, v1::UI_STATE_TRANSIENT) &&
         a.parent_id() == b.parent_id() && same_rect(a.bounds(), b.bounds());
}

// Keys and a drag act on the whole selection. A click selects, so the earlier selection does not matter.
enum class Reach { kElement, kSelection };

// States that change what an action does. Excludes those that a pointer changes by passing over a menu.
std::vector<v1::UiState> deciding_states(const v1::UiNode& node, SeenAt seen_at, Reach reach) {
  std::vector<v1::UiState> states = {v1::UI_STATE_ENABLED, v1::UI_STATE_CHECKED, v1::UI_STATE_EDITABLE,
                                     v1::UI_STATE_PASSWORD};
  if (seen_at == SeenAt::kPrepare || node.role().find("menu") != std::string::npos) return states;
  states.push_back(v1::UI_STATE_EXPANDED);
  if (reach == Reach::kSelection) states.push_back(v1::UI_STATE_SELECTED);
  return states;
}

Difference element_differs(const char* which, bool had, const v1::UiNode& before, bool has, const v1::UiNode& now,
                           SeenAt seen_at, Reach reach = Reach::kElement) {
  if (!had && !has) return std::nullopt;
  const bool renamed = seen_at == SeenAt::kApproval && before.name() != now.name();
  if (!had || !has || renamed || !same_control(before, now)) {
    const std::string then = had ? shown(before) : "unknown";
    const std::string today = has ? shown(now) : "unknown";
    return std::string(which) + " was " + then + " and is now " + (then == today ? "another one" : today);
  }
  for (const v1::UiState state : deciding_states(before, seen_at, reach)) {
    const std::string then = state_word(before, state);
    const std::string today = state_word(now, state);
    if (then != today) return std::string(which) + ", " + shown(now) + ", was " + then + " and is now " + today;
  }
  return std::nullopt;
}

// If no element is known, only the title identifies a page of the window.
Difference page_differs(const v1::Window* before, const v1::Window* now, bool element_known) {
  if (element_known || before == nullptr || now == nullptr || before->title() == now->title()) return std::nullopt;
  return "the title of the window has changed";
}

// Brightness of an area's pixels, rows from the top.
struct Look {
  Rect area;  // Desktop pixels.
  const std::string& pixels;

  bool is_whole() const {
    return area.width > 0 && area.height > 0 && pixels.size() == static_cast<std::size_t>(area.area());
  }
  // `part` must lie within the area.
  std::string cut(const Rect& part) const {
    std::string rows;
    for (int y = part.y; y < part.y + part.height; ++y) {
      const auto at = std::int64_t{y - area.y} * area.width + (part.x - area.x);
      rows.append(pixels, static_cast<std::size_t>(at), static_cast<std::size_t>(part.width));
    }
    return rows;
  }
};

Look target_look(const v1::Evidence& seen) { return {from_proto(seen.target_area()), seen.target_pixels()}; }
Look drop_look(const v1::Evidence& seen) { return {from_proto(seen.drop_area()), seen.drop_pixels()}; }

bool same_look(const Look& before, const Look& now, const v1::UiNode& element) {
  if (before.pixels.empty() || now.pixels.empty()) return before.pixels.empty() == now.pixels.empty();
  const Surface surface = surface_of(element.role(), element.name());
  // The control moved within the tolerance, and its name identifies it.
  if (before.area != now.area) return surface == Surface::kControl;
  return looks_alike(before.pixels, now.pixels, before.area.width, surface);
}

// Whether a desktop point still means the same: its window and element stayed in place. A window that grows to the
// right or down leaves a known element in place. Without a known element, everything in the window may have moved.
bool stays(bool has_window, const v1::Window& window, const v1::Window& window_now, bool has_element,
           const v1::UiNode& element, const v1::UiNode& element_now) {
  if (!has_window) return true;
  if (!has_element) return same_rect(window.bounds(), window_now.bounds());
  return origin_of(window.bounds()) == origin_of(window_now.bounds()) &&
         same_place(origin_of(element.bounds()), origin_of(element_now.bounds()));
}

// A click on an element by name goes to its current position, so only what a person saw must still be true.
Difference clicked_element_differs(const v1::Evidence& before, const v1::Evidence& now) {
  const bool comes_into_view = has_state(before.target_element(), v1::UI_STATE_SCROLLED_OUT);
  if (!comes_into_view && !same_place(from_proto(before.target_point()), from_proto(now.target_point()))) return kMoved;
  return window_differs("the window on top at the target", before.has_cover_window(), before.cover_window(),
                        now.has_cover_window(), now.cover_window());
}

Difference place_differs(const v1::Evidence& before, const v1::Evidence& now) {
  if (!stays(before.has_target_window(), before.target_window(), now.target_window(), before.has_target_element(),
             before.target_element(), now.target_element())) {
    return kMoved;
  }
  if (!same_look(target_look(before), target_look(now), before.target_element())) return kLookChanged;
  if (!stays(before.has_drop_window(), before.drop_window(), now.drop_window(), before.has_drop_element(),
             before.drop_element(), now.drop_element())) {
    return "the place where the drag ends has moved";
  }
  if (before.has_drop_window() && page_differs(&before.drop_window(), &now.drop_window(), before.has_drop_element())) {
    return "the title of the window where the drag ends has changed";
  }
  if (!same_look(drop_look(before), drop_look(now), before.drop_element())) {
    return "the screen where the drag ends has changed";
  }
  return std::nullopt;
}

Rect moved(Rect rect, Point by) { return {rect.x + by.x, rect.y + by.y, rect.width, rect.height}; }

Difference approved_content_differs(const v1::Evidence& approved, const v1::Evidence& now) {
  const Rect before = from_proto(approved.target_window().bounds());
  const Rect after = from_proto(now.target_window().bounds());
  const bool has_moved = approved.has_target_element() ? before.x != after.x || before.y != after.y : before != after;
  if (has_moved) return "the target window has moved";
  const Look then = target_look(approved);
  const Look today = target_look(now);
  const bool alike =
      then.area == today.area && looks_alike(then.pixels, today.pixels, then.area.width, Surface::kContent);
  return alike ? std::nullopt : Difference(kLookChanged);
}

// Compares the part that both looks contain. A control of another size has its label elsewhere: only its name counts.
Difference approved_control_differs(const v1::Evidence& approved, const v1::Evidence& now) {
  const Rect before = from_proto(approved.target_element().bounds());
  const Rect after = from_proto(now.target_element().bounds());
  if (before.width != after.width || before.height != after.height) return std::nullopt;
  const Look then = target_look(approved);
  const Look today = target_look(now);
  if (!then.is_whole() || !today.is_whole()) return kLookChanged;
  const std::int64_t right = std::int64_t{after.x} - before.x;
  const std::int64_t down = std::int64_t{after.y} - before.y;
  if (std::abs(right) > kFarPixels || std::abs(down) > kFarPixels) return std::nullopt;
  const Point by{static_cast<int>(right), static_cast<int>(down)};
  const Rect seen_twice = intersection(moved(then.area, by), today.area);
  if (seen_twice.area() == 0) return std::nullopt;
  const bool alike = looks_alike(then.cut(moved(seen_twice, {-by.x, -by.y})), today.cut(seen_twice), seen_twice.width,
                                 Surface::kControl);
  return alike ? std::nullopt : Difference(kLookChanged);
}

Difference approved_look_differs(const v1::Evidence& approved, const v1::Evidence& now) {
  if (approved.target_pixels().empty()) return std::nullopt;
  const auto& element = approved.target_element();
  const bool is_control = surface_of(element.role(), element.name()) == Surface::kControl;
  return is_control ? approved_control_differs(approved, now) : approved_content_differs(approved, now);
}

Difference file_differs(const v1::Evidence& before, const v1::Evidence& now) {
  if (before.canonical_path() != now.canonical_path()) {
    return "the path was \"" + escape_foreign(before.canonical_path(), 120) + "\" and is now \"" +
           escape_foreign(now.canonical_path(), 120) + "\"";
  }
  if (before.file_identity() != now.file_identity()) {
    return "another file is at \"" + escape_foreign(now.canonical_path(), 120) + "\", or it was written to";
  }
  if (!std::ranges::equal(before.argv(), now.argv())) return "the command means another program now";
  return std::nullopt;
}

}  // namespace

bool same_window(const v1::Window& a, const v1::Window& b) {
  return a.window_id() == b.window_id() && a.pid() == b.pid() && a.process_start() == b.process_start() &&
         a.executable() == b.executable();
}

bool same_control(const v1::UiNode& a, const v1::UiNode& b) {
  const bool same_object = (!a.element_id().empty() && a.element_id() == b.element_id()) || is_renewed(a, b);
  return same_object && a.role() == b.role() && a.window_id() == b.window_id() &&
         (a.name() == b.name() || is_top_level(a));
}

std::optional<std::string> staleness(const v1::Action& action, const v1::Evidence& before, const v1::Evidence& now,
                                     SeenAt seen_at) {
  // Other tools do not depend on the foreground: the approver may work in another window of the same desktop.
  if (is_keyboard_tool(action)) {
    if (auto found = window_differs("the foreground window", before.has_foreground(), before.foreground(),
                                    now.has_foreground(), now.foreground())) {
      return found;
    }
    if (before.took_keyboard() != now.took_keyboard()) return "another window took the keyboard";
    if (auto found = element_differs("the focused element", before.has_focused_element(), before.focused_element(),
                                     now.has_focused_element(), now.focused_element(), seen_at, Reach::kSelection)) {
      return found;
    }
  }
  if (auto found = window_differs("the target window", before.has_target_window(), before.target_window(),
                                  now.has_target_window(), now.target_window())) {
    return found;
  }
  if (auto found =
          element_differs("the target", before.has_target_element(), before.target_element(), now.has_target_element(),
                          now.target_element(), seen_at, action.has_drag() ? Reach::kSelection : Reach::kElement)) {
    return found;
  }
  if (auto found = window_differs("the window where the drag ends", before.has_drop_window(), before.drop_window(),
                                  now.has_drop_window(), now.drop_window())) {
    return found;
  }
  if (auto found = element_differs("the element where the drag ends", before.has_drop_element(), before.drop_element(),
                                   now.has_drop_element(), now.drop_element(), seen_at)) {
    return found;
  }
  if (auto found = passed_windows_differ(before, now)) return found;
  if (before.button_held() != now.button_held()) {
    return std::string("a mouse button was ") + (now.button_held() ? "pressed" : "released") + " meanwhile";
  }
  if (auto found = file_differs(before, now)) return found;
  // A window tool selects its window by a part of the title; the rest may change.
  const bool by_title = seen_at == SeenAt::kPrepare && !is_keyboard_tool(action) && !before.has_target_point();
  if (!by_title) {
    if (auto found = page_differs(subject_window(action, before), subject_window(action, now),
                                  subject_element(action, before) != nullptr)) {
      return found;
    }
  }
  if (seen_at == SeenAt::kApproval) return approved_look_differs(before, now);
  if (!before.has_target_point()) return std::nullopt;
  return action.has_ui_click() ? clicked_element_differs(before, now) : place_differs(before, now);
}

}  // namespace da::contract
