#include "services/actuator/desktop/x11/atspi/toolkits/atspi_rows.h"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

#include "services/actuator/desktop/x11/atspi/bus/atspi_roles.h"

namespace da::actuator::x11 {
namespace {

constexpr int kTopMargin = 8;  // A frame around the table.
constexpr int kRowGap = 2;     // GTK3's usual vertical separator.

// The cells among the children of one parent; row numbers count only these.
struct Cells {
  int count = 0;    // So far.
  int columns = 0;  // Cells beside the anchor.
  int anchor_number = -1;
  Rect anchor;  // The first cell that has a place.
};

bool is_placed(const AccessibleNode& node) { return is_showing(node.states) && !node.extents.empty(); }

}  // namespace

Rect place_of_row(const Rect& showing, int rows_below, const Rect& size) {
  return {showing.x, showing.y + rows_below * (showing.height + kRowGap), size.width, size.height};
}

bool is_column_header(const AccessibleNode& node) {
  return role_name(node.role) == "table column header" || role_name(node.role) == "column header";
}

bool may_show(const std::vector<AccessibleNode>& nodes, const AccessibleNode& node) {
  if (may_be_visible(node.states)) return true;
  if (role_name(node.role) != "table cell" || node.parent == AccessibleNode::kNoParent) return false;
  const AccessibleNode& table = nodes[node.parent];
  return is_selectable(node.states) && is_showing(table.states) && manages_descendants(table.states);
}

void find_column_headers(std::vector<AccessibleNode>& nodes) {
  for (const AccessibleNode& node : nodes) {
    if (!is_column_header(node) || !is_placed(node) || node.parent == AccessibleNode::kNoParent) continue;
    AccessibleNode& table = nodes[node.parent];
    // In a table that is scrolled itself, the header is among the rows.
    const bool on_top = std::abs(node.extents.y - table.extents.y) <= kTopMargin;
    if (on_top) table.header = bounding(table.header, node.extents);
  }
}

void place_scrolled_out_rows(std::vector<AccessibleNode>& nodes) {
  const bool any = std::ranges::any_of(nodes, [](const AccessibleNode& node) { return !node.unplaced.empty(); });
  if (!any) return;
  std::unordered_map<std::size_t, Cells> lists;  // Keyed by parent.
  std::vector<int> numbers(nodes.size(), 0);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (role_name(nodes[i].role) != "table cell") continue;
    Cells& cells = lists[nodes[i].parent];
    numbers[i] = nodes[i].index_in_parent >= 0 ? nodes[i].index_in_parent : cells.count++;
    if (!is_placed(nodes[i])) continue;
    if (cells.anchor_number < 0) {
      cells.anchor_number = numbers[i];
      cells.anchor = nodes[i].extents;
    }
    if (nodes[i].extents.y == cells.anchor.y) ++cells.columns;
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    AccessibleNode& node = nodes[i];
    if (node.unplaced.empty() || !is_showing(node.states) || node.parent == AccessibleNode::kNoParent) continue;
    const auto cells = lists.find(node.parent);
    if (cells != lists.end() && cells->second.anchor_number >= 0) {
      const Cells& list = cells->second;
      const int columns = std::max(list.columns, 1);
      node.extents = place_of_row(list.anchor, numbers[i] / columns - list.anchor_number / columns, node.unplaced);
    } else if (!nodes[node.parent].unplaced.empty()) {
      node.extents = nodes[node.parent].extents;  // A part of a cell.
    }
  }
}

}  // namespace da::actuator::x11
