#include "services/actuator/desktop/x11/atspi/toolkits/atspi_scrolled_out.h"

#include <map>

#include "services/actuator/desktop/x11/atspi/bus/atspi_roles.h"

namespace da::actuator::x11 {
namespace {

bool contains(const Rect& outer, const Rect& inner) { return intersection(outer, inner) == inner; }

// Stacks the unplaced children before and after the first placed one, or below the viewport where none is placed.
void stack(std::vector<AccessibleNode>& nodes, const std::vector<std::size_t>& children, const Rect& view,
           bool vertical) {
  std::size_t anchor = 0;
  while (anchor < children.size() && nodes[children[anchor]].extents.empty()) ++anchor;
  const bool has_anchor = anchor < children.size();
  Rect last = has_anchor ? nodes[children[anchor]].extents : view;
  const Rect first = last;
  for (std::size_t i = has_anchor ? anchor + 1 : 0; i < children.size(); ++i) {
    AccessibleNode& node = nodes[children[i]];
    if (node.extents.empty() && may_be_scrolled_out(node)) {
      node.extents = vertical ? Rect{last.x, last.bottom(), node.unplaced.width, node.unplaced.height}
                              : Rect{last.right(), last.y, node.unplaced.width, node.unplaced.height};
    }
    if (!node.extents.empty()) last = node.extents;
  }
  last = first;
  for (std::size_t i = has_anchor ? anchor : 0; i-- > 0;) {
    AccessibleNode& node = nodes[children[i]];
    if (!may_be_scrolled_out(node)) continue;
    const Rect size = node.unplaced;
    node.extents = vertical ? Rect{last.x, last.y - size.height, size.width, size.height}
                            : Rect{last.x - size.width, last.y, size.width, size.height};
    last = node.extents;
  }
}

}  // namespace

bool may_be_scrolled_out(const AccessibleNode& node) {
  return !node.unplaced.empty() && is_visible(node.states) && !is_showing(node.states);
}

std::vector<std::optional<Rect>> views_of(const std::vector<AccessibleNode>& nodes) {
  std::vector<std::optional<Rect>> views(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const AccessibleNode& node = nodes[i];
    if (node.parent == AccessibleNode::kNoParent) continue;
    const AccessibleNode& parent = nodes[node.parent];
    const auto role = role_name(parent.role);
    const bool scrolls = (role == "viewport" || role == "scroll pane") && !parent.extents.empty();
    views[i] = scrolls ? std::optional(parent.extents) : views[node.parent];
  }
  return views;
}

void place_scrolled_out_widgets(std::vector<AccessibleNode>& nodes) {
  std::map<std::size_t, std::vector<std::size_t>> children;  // Keyed by parent; only those with scrolled-out children.
  for (const AccessibleNode& node : nodes)
    if (may_be_scrolled_out(node) && node.extents.empty() && node.parent != AccessibleNode::kNoParent)
      children[node.parent];
  if (children.empty()) return;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (const auto family = children.find(nodes[i].parent); family != children.end()) family->second.push_back(i);
  const auto views = views_of(nodes);
  std::vector<bool> estimated(nodes.size());
  for (const auto& [parent, family] : children) {
    const Rect& around = nodes[parent].extents;
    if (around.empty()) continue;
    if (estimated[parent]) {  // Parts of a row: the row's place is exact enough.
      for (const std::size_t child : family) {
        if (!may_be_scrolled_out(nodes[child])) continue;
        nodes[child].extents = {around.x, around.y, nodes[child].unplaced.width, nodes[child].unplaced.height};
        estimated[child] = true;
      }
      continue;
    }
    const auto& view = views[parent];
    if (!view || contains(*view, around)) continue;
    stack(nodes, family, *view, around.height > view->height);
    for (const std::size_t child : family) estimated[child] = may_be_scrolled_out(nodes[child]);
  }
}

}  // namespace da::actuator::x11
