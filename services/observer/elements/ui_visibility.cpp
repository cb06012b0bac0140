#include "services/observer/elements/ui_visibility.h"

#include <algorithm>
#include <array>

#include "services/observer/elements/ui_roles.h"
#include "services/observer/frames/wire.h"

namespace da::observer {

Rect largest_free_part(Point point, const Rect& area, const Rect& cover) {
  const Rect shared = intersection(area, cover);
  if (shared.empty()) return area;
  const std::array<Rect, 4> sides{{{area.x, area.y, shared.x - area.x, area.height},
                                   {shared.right(), area.y, area.right() - shared.right(), area.height},
                                   {area.x, area.y, area.width, shared.y - area.y},
                                   {area.x, shared.bottom(), area.width, area.bottom() - shared.bottom()}}};
  return *std::ranges::max_element(
      sides, {}, [&](const Rect& side) { return side.contains(point) ? side.area() : std::int64_t{0}; });
}

Visibility::Visibility(const Scene& scene) : scene_(scene) {
  for (const v1::Window* window : scene.windows) windows_.emplace(window->window_id(), window);
}

const v1::Window* Visibility::window_of(const v1::UiNode& node) const {
  const auto found = windows_.find(node.window_id());
  return found == windows_.end() ? nullptr : found->second;
}

Rect Visibility::visible(const v1::UiNode& node) const {
  if (!has_state(node, v1::UI_STATE_SHOWING)) return {};
  const Rect shown = rect_from_wire(node.has_visible() ? node.visible() : node.bounds());
  const Rect bounds = intersection(shown, scene_.desktop);
  const v1::Window* const window = window_of(node);
  if (window == nullptr) return bounds;
  if (window->minimized()) return {};
  if (pops_up(node.role())) return bounds;
  return intersection(bounds, rect_from_wire(window->bounds()));
}

const v1::Window* Visibility::cover_of(const v1::Window* own, Point point) const {
  for (const v1::Window* window : scene_.windows) {
    if (window == own) return nullptr;
    if (!window->minimized() && rect_from_wire(window->bounds()).contains(point)) return window;
  }
  return nullptr;
}

Rect Visibility::uncovered(const v1::Window* own, const Rect& area) const {
  if (is_covered(own, area.center())) return {};
  Rect left = area;
  for (const v1::Window* window : scene_.windows) {
    if (window == own) break;
    if (!window->minimized()) left = largest_free_part(area.center(), left, rect_from_wire(window->bounds()));
  }
  return left;
}

}  // namespace da::observer
