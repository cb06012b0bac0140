#include "services/observer/elements/ui_labels.h"

#include <algorithm>
#include <climits>

#include "lib/base/text.h"
#include "services/observer/elements/ui_roles.h"

namespace da::observer {
namespace {

// Pixels between a label and its field. The label column of a form can be wide.
constexpr int kFarthestLeft = 160;
constexpr int kFarthestAbove = 28;

// The label of a box stands to its right or, as that of a switch, to its left.
constexpr int kFarthestRight = 40;

bool is_box(std::string_view role) { return one_of(role, {"check box", "radio button"}); }

// Toolkits name a drop-down list by the item that it shows, so its label names it too.
bool is_named_by_label(const v1::UiNode& node) {
  if (node.role() == "combo box") return node.text().empty() || trim(node.name()).empty();
  return trim(node.name()).empty() &&
         (one_of(node.role(), {"text", "entry", "password text", "spin button", "slider", "edit bar", "switch"}) ||
          is_box(node.role()));
}

bool is_label(const v1::UiNode& node) {
  return one_of(node.role(), {"label", "static", "caption"}) && !trim(node.name()).empty();
}

bool shares_line(const Rect& label, const Rect& field) {
  const int middle = label.center().y;
  return middle >= field.y && middle < field.bottom() && label.height <= 3 * field.height;
}

// INT_MAX if the label is not just to the right.
int distance_right(const Rect& label, const Rect& box) {
  const int gap = label.x - box.right();
  return shares_line(label, box) && gap >= -4 && gap <= kFarthestRight ? std::max(gap, 0) : INT_MAX;
}

// Pixels; INT_MAX if the label does not belong to the field. Labels to the left precede labels above.
int label_distance(const Rect& label, const Rect& field) {
  const int gap_left = field.x - label.right();
  if (shares_line(label, field) && gap_left >= -4 && gap_left <= kFarthestLeft) {
    return std::max(gap_left, 0);
  }
  const int gap_above = field.y - label.bottom();
  const bool aligned = label.x < field.right() && label.right() > field.x && std::abs(label.x - field.x) <= 40;
  if (aligned && gap_above >= -4 && gap_above <= kFarthestAbove) return kFarthestLeft + std::max(gap_above, 0);
  return INT_MAX;
}

}  // namespace

std::vector<std::string_view> labels_of_fields(std::span<const VisibleNode> nodes) {
  std::vector<const VisibleNode*> labels;
  for (const auto& node : nodes) {
    if (is_label(*node.node)) labels.push_back(&node);
  }
  std::vector<std::string_view> names(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!is_named_by_label(*nodes[i].node)) continue;
    int nearest = INT_MAX;
    for (const VisibleNode* label : labels) {
      if (label->node->window_id() != nodes[i].node->window_id()) continue;
      int away = label_distance(label->bounds, nodes[i].bounds);
      if (is_box(nodes[i].node->role())) {
        // A label to the left may belong to the box before it.
        if (away != INT_MAX) away += kFarthestRight + 1;
        away = std::min(away, distance_right(label->bounds, nodes[i].bounds));
      }
      if (away >= nearest) continue;
      nearest = away;
      names[i] = label->node->name();
    }
    if (names[i].empty()) names[i] = nodes[i].node->placeholder();
  }
  return names;
}

std::vector<std::string_view> labels_in_rows(const v1::UiTree& tree, const UiAncestry& ancestry) {
  constexpr int kDeepest = 5;  // Levels from a label up to its row.
  std::vector<std::string_view> names(static_cast<std::size_t>(tree.nodes_size()));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const v1::UiNode& label = tree.nodes(static_cast<int>(i));
    if (!is_label(label)) continue;
    auto above = ancestry.parent(i);
    for (int level = 0; above && level < kDeepest; ++level, above = ancestry.parent(*above)) {
      const v1::UiNode& row = tree.nodes(static_cast<int>(*above));
      if (!is_repeated(row.role())) continue;
      if (trim(row.name()).empty() && names[*above].empty()) names[*above] = label.name();
      break;
    }
  }
  return names;
}

}  // namespace da::observer
