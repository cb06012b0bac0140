#include "services/actuator/target/action_target.h"

#include <algorithm>

#include "lib/contract/evidence/visual_similarity.h"
#include "lib/contract/place_text.h"

namespace da::actuator {
namespace {

// Half the side of the compared neighbourhood, in pixels: about one button.
constexpr int kNeighbourhoodRadius = 24;
// Pixels at an element's edge that are not compared: toolkits draw the focus there, up to 3 pixels wide.
constexpr int kBorder = 4;
// A point in an element of more pixels is marked itself: the element would not tell where the click goes.
constexpr std::int64_t kLargestMarked = 320 * 120;
constexpr int kPointRadius = 12;

// The element without its border, which changes with the focus.
Rect interior(const Rect& element) {
  if (element.width <= 4 * kBorder || element.height <= 4 * kBorder) return element;
  return {element.x + kBorder, element.y + kBorder, element.width - 2 * kBorder, element.height - 2 * kBorder};
}

// These are named after the title of their window, which is compared separately.
bool is_top_level(const Element& element) {
  return element.role == "frame" || element.role == "window" || element.role == "dialog";
}

}  // namespace

void ActionTarget::set_problem(v1::Outcome::Code code, std::string why) {
  problem_code = code;
  problem = std::move(why);
}

void ActionTarget::set_outside(Point outside) {
  set_problem(v1::Outcome::CODE_INVALID, "the point " + contract::place_text(outside) + " is outside the desktop");
}

Result<Neighbourhood> look_around(Desktop& desktop, Point point, const std::optional<Element>& element) {
  Rect wanted{point.x - kNeighbourhoodRadius, point.y - kNeighbourhoodRadius, 2 * kNeighbourhoodRadius,
              2 * kNeighbourhoodRadius};
  if (element) wanted = intersection(wanted, interior(element->bounds));
  ASSIGN_OR_RETURN(const FrameView view, desktop.screen().capture_area(wanted));
  Neighbourhood around{view.area, {}};
  around.look.reserve(static_cast<std::size_t>(view.area.area()));
  for (int row = 0; row < view.area.height; ++row) {
    const std::uint8_t* pixel = view.data + static_cast<std::size_t>(row) * view.stride;
    for (int column = 0; column < view.area.width; ++column, pixel += 4) {
      around.look += static_cast<char>(contract::brightness(pixel));
    }
  }
  return around;
}

bool same_window(const std::optional<WindowInfo>& a, const std::optional<WindowInfo>& b) {
  if (!a || !b) return !a && !b;
  return a->id == b->id && a->pid == b->pid && a->process_start == b->process_start;
}

std::optional<Rect> place_of(const v1::Action& action, const ActionTarget& target) {
  if (action.has_launch() || action.has_file_delete()) return std::nullopt;
  const auto bounds_of = [](const auto& object) {
    return object && !object->bounds.empty() ? std::optional(object->bounds) : std::nullopt;
  };
  if (target.point) {
    const auto element = bounds_of(target.element);
    if (element && (target.by_name || element->area() <= kLargestMarked)) return element;
    constexpr int kSide = 2 * kPointRadius + 1;
    return Rect{target.point->x - kPointRadius, target.point->y - kPointRadius, kSide, kSide};
  }
  if (const auto focused = bounds_of(target.focused)) return focused;
  return bounds_of(target.window ? target.window : target.foreground);
}

bool same_control(const Element& a, const Element& b) {
  if (a.role != b.role || (a.name != b.name && !is_top_level(a))) return false;
  const bool renewed = a.has(ElementState::kTransient) && b.has(ElementState::kTransient) && a.parent == b.parent &&
                       a.bounds == b.bounds;
  return a.handle == b.handle || renewed;
}

}  // namespace da::actuator
