#include "services/observer/elements/ui_visibility.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "lib/base/text.h"
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

bool Layer::contains(Point point) const {
  return std::ranges::any_of(parts, [point](const Rect& part) { return part.contains(point); });
}

Rect Layer::bounds() const {
  Rect around;
  for (const Rect& part : parts) around = bounding(around, part);
  return around;
}

std::string in_words(const Layer& layer) {
  const auto slash = layer.executable.find_last_of("/\\");
  const std::string program =
      escape_foreign(slash == std::string_view::npos ? layer.executable : layer.executable.substr(slash + 1), 40);
  const std::string title = quote_foreign(layer.title, 80);
  if (layer.listed) return "the window " + title;
  if (layer.grabs_clicks) return "an open menu" + (program.empty() ? "" : " of " + program);
  return "the popup or notification " + title + (program.empty() ? "" : " of " + program);
}

Visibility::Visibility(const Scene& scene) : scene_(scene) {
  for (const v1::Window* window : scene.windows) windows_.emplace(window->window_id(), window);
  for (const v1::ClickArea* area : scene.click_areas) {
    Layer layer{.window_id = area->window_id(),
                .owner_id = area->owner_id(),
                .title = area->title(),
                .executable = area->executable(),
                .pid = area->pid(),
                .listed = area->listed(),
                .grabs_clicks = area->grabs_clicks(),
                .only_shows = area->only_shows()};
    for (const v1::Rect& part : area->parts()) layer.parts.push_back(rect_from_wire(part));
    layers_.push_back(std::move(layer));
  }
  if (!layers_.empty()) return;
  for (const v1::Window* window : scene.windows) {
    if (window->minimized()) continue;
    layers_.push_back({.window_id = window->window_id(),
                       .owner_id = window->window_id(),
                       .title = window->title(),
                       .executable = window->executable(),
                       .pid = window->pid(),
                       .parts = {rect_from_wire(window->bounds())}});
  }
}

const v1::Window* Visibility::window_of(const v1::UiNode& node) const {
  const auto found = windows_.find(node.window_id());
  return found == windows_.end() ? nullptr : found->second;
}

const v1::Window* Visibility::window_at(Point point) const {
  const auto layer = std::ranges::find_if(layers_, [point](const Layer& each) { return each.contains(point); });
  if (layer == layers_.end()) return nullptr;
  for (const std::string_view id : {layer->window_id, layer->owner_id}) {
    if (const auto window = windows_.find(id); window != windows_.end()) return window->second;
  }
  const auto of_process = std::ranges::find_if(
      scene_.windows, [&](const v1::Window* window) { return layer->pid != 0 && window->pid() == layer->pid; });
  return of_process == scene_.windows.end() ? nullptr : *of_process;
}

Rect Visibility::visible(const v1::UiNode& node) const {
  if (!has_state(node, v1::UI_STATE_SHOWING)) return {};
  const Rect shown = rect_from_wire(node.has_visible() ? node.visible() : node.bounds());
  const Rect bounds = intersection(shown, scene_.desktop);
  const v1::Window* const window = window_of(node);
  if (window == nullptr) return bounds;
  if (window->minimized()) return {};
  // The items of an open list show in its popup, those of others in their window.
  const bool in_window =
      node.role() == "list item" && !scene_.click_areas.empty() && popup_at(*window, bounds.center()) == nullptr;
  if (pops_up(node.role()) && !in_window) return bounds;
  const Rect inside = intersection(bounds, rect_from_wire(window->bounds()));
  if (scene_.click_areas.empty()) return inside;
  // A shaded window shows only its title bar.
  const auto own = std::ranges::find(layers_, window->window_id(), &Layer::window_id);
  return own == layers_.end() ? Rect{} : intersection(inside, own->bounds());
}

bool Visibility::covers(const Layer& layer, const v1::Window* own) const {
  if (own == nullptr || layer.listed) return true;
  const bool same_process = layer.pid != 0 && layer.pid == own->pid();
  return !same_process && layer.owner_id != own->window_id();
}

const Layer* Visibility::cover_of(const v1::Window* own, Point point) const {
  for (const Layer& layer : layers_) {
    if (!layer.contains(point)) continue;
    const bool is_own = own != nullptr && (layer.window_id == own->window_id() || layer.owner_id == own->window_id());
    if (is_own) return nullptr;
    if (covers(layer, own)) return &layer;
  }
  return nullptr;
}

const Layer* Visibility::cover_beside(Point point) const {
  return in_front_of(std::ranges::find_if(layers_, [&](const Layer& layer) { return layer.contains(point); }));
}

const Layer* Visibility::cover_of_part(const v1::Window& window) const {
  return in_front_of(std::ranges::find(layers_, window.window_id(), &Layer::window_id));
}

const Layer* Visibility::in_front_of(std::vector<Layer>::const_iterator whole) const {
  if (whole == layers_.end()) return nullptr;
  const auto covers_part = [bounds = whole->bounds()](const Layer& layer) {
    return std::ranges::any_of(layer.parts, [&](const Rect& part) { return !intersection(part, bounds).empty(); });
  };
  const auto cover = std::find_if(layers_.begin(), whole, covers_part);
  return cover == whole ? nullptr : &*cover;
}

const Layer* Visibility::popup_at(const v1::Window& own, Point point) const {
  for (const Layer& layer : layers_) {
    if (layer.window_id == own.window_id()) return nullptr;
    if (!layer.listed && !layer.only_shows && !covers(layer, &own) && layer.contains(point)) return &layer;
  }
  return nullptr;
}

std::vector<Layer> Visibility::open_menus() const {
  std::vector<Layer> menus;
  std::ranges::copy_if(layers_, std::back_inserter(menus), &Layer::grabs_clicks);
  return menus;
}

Rect Visibility::uncovered(const v1::Window* own, const Rect& area) const {
  if (is_covered(own, area.center())) return {};
  Rect left = area;
  for (const Layer& layer : layers_) {
    if (own != nullptr && layer.window_id == own->window_id()) break;
    if (!covers(layer, own)) continue;
    for (const Rect& part : layer.parts) left = largest_free_part(area.center(), left, part);
  }
  return left;
}

}  // namespace da::observer
