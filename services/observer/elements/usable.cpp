#include "services/observer/elements/usable.h"

#include "services/observer/elements/ui_roles.h"
#include "services/observer/frames/wire.h"

namespace da::observer {

UsableElements::UsableElements(const v1::UiTree& tree, const Scene& scene)
    : tree_(tree), seen_(scene), ancestry_(tree) {
  visible_.reserve(static_cast<std::size_t>(tree.nodes_size()));
  for (const v1::UiNode& node : tree.nodes()) {
    const std::size_t i = visible_.size();
    visible_.push_back(seen_.visible(node));
    if (const auto popup = ancestry_.popup_of(i)) popups_.cover(*popup, visible_.back());
    // Window handles on Windows show an open menu without its entries.
    if (node.role() == "popup menu" && !ancestry_.has_children(i)) popups_.cover(i, visible_.back());
  }
}

bool UsableElements::is_usable(std::size_t i) const {
  if (node(i).role() == "menu") {
    const auto holder = ancestry_.parent(i);
    if (!holder || !one_of(ancestry_.role(*holder), {"menu bar", "menu", "popup menu"})) return false;
  }
  return takes_input(node(i), ancestry_.has_children(i));
}

Rect UsableElements::in_view(std::size_t i) const {
  Rect bounds = visible_[i];
  if (ancestry_.popup_of(i)) return bounds;
  // Applications report the full bounds of elements that are half scrolled out of view.
  for (auto parent = ancestry_.parent(i); parent; parent = ancestry_.parent(*parent)) {
    if (one_of(ancestry_.role(*parent), {"scroll pane", "viewport", "document web"})) {
      bounds = intersection(bounds, rect_from_wire(node(*parent).bounds()));
    }
  }
  const v1::Window* const window = seen_.window_of(node(i));
  return window == nullptr ? bounds : intersection(bounds, rect_from_wire(window->bounds()));
}

Rect UsableElements::clickable(std::size_t i) const {
  if (ancestry_.popup_of(i)) return popups_.uncovered(visible_[i], i, ancestry_);
  Rect bounds = in_view(i);
  if (!bounds.empty()) bounds = seen_.uncovered(seen_.window_of(node(i)), bounds);
  return bounds.empty() ? bounds : popups_.uncovered(bounds, i, ancestry_);
}

}  // namespace da::observer
