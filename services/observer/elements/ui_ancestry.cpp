#include "services/observer/elements/ui_ancestry.h"

#include <algorithm>
#include <unordered_map>

#include "services/observer/elements/ui_roles.h"
#include "services/observer/elements/ui_visibility.h"

namespace da::observer {
namespace {

// Open menus and submenus at the same time. Limits the cost of a tree that claims more.
constexpr std::size_t kMostOpen = 16;

}  // namespace

UiAncestry::UiAncestry(const v1::UiTree& tree) : tree_(tree) {
  std::unordered_map<std::string_view, std::size_t> by_id;
  for (const auto& node : tree.nodes()) {
    const auto parent = by_id.find(node.parent_id());
    const bool known = !node.parent_id().empty() && parent != by_id.end();
    parents_.push_back(known ? std::optional(parent->second) : std::nullopt);
    by_id.emplace(node.element_id(), has_children_.size());
    has_children_.push_back(false);
    if (known) has_children_[parent->second] = true;
  }
}

bool UiAncestry::is_within(std::size_t node, std::size_t ancestor) const {
  auto at = parents_[node];
  while (at && *at > ancestor) at = parents_[*at];
  return at == ancestor;
}

std::optional<std::size_t> UiAncestry::popup_of(std::size_t node) const {
  const auto parent = parents_[node];
  if (!parent) return std::nullopt;
  const std::string_view holder = role(*parent);
  if (one_of(role(node),
             {"menu", "menu item", "check menu item", "radio menu item", "tear off menu item", "separator"})) {
    return one_of(holder, {"menu", "popup menu", "combo box"}) ? parent : std::nullopt;
  }
  if (role(node) != "list item") return std::nullopt;
  if (holder == "combo box") return parent;
  const auto above = parents_[*parent];
  return above && role(*above) == "combo box" ? parent : std::nullopt;
}

void PopupAreas::cover(std::size_t popup, const Rect& entry) {
  if (entry.empty()) return;
  const auto found = std::ranges::find(areas_, popup, &Area::popup);
  if (found != areas_.end()) {
    found->bounds = bounding(found->bounds, entry);
  } else if (areas_.size() < kMostOpen) {
    areas_.push_back({popup, entry});
  }
}

std::vector<Rect> PopupAreas::bounds() const {
  std::vector<Rect> bounds;
  for (const Area& area : areas_) bounds.push_back(area.bounds);
  return bounds;
}

Rect PopupAreas::uncovered(const Rect& bounds, std::size_t node, const UiAncestry& ancestry) const {
  Rect left = bounds;
  for (const Area& area : areas_) {
    if (area.popup == node || ancestry.is_within(node, area.popup)) continue;
    if (area.bounds.contains(bounds.center())) return {};
    left = largest_free_part(bounds.center(), left, area.bounds);
  }
  return left;
}

}  // namespace da::observer
