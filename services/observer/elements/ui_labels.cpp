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

bool is_unnamed_field(const v1::UiNode& node) {
  return trim(node.name()).empty() &&
         one_of(node.role(), {"text", "entry", "password text", "spin button", "combo box", "slider", "edit bar"});
}

bool is_label(const v1::UiNode& node) {
  return one_of(node.role(), {"label", "static", "caption"}) && !trim(node.name()).empty();
}

// Pixels; INT_MAX if the label does not belong to the field. Labels to the left precede labels above.
int label_distance(const Rect& label, const Rect& field) {
  const int middle = label.center().y;
  const int gap_left = field.x - label.right();
  if (middle >= field.y && middle < field.bottom() && gap_left >= -4 && gap_left <= kFarthestLeft &&
      label.height <= 3 * field.height) {
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
    if (!is_unnamed_field(*nodes[i].node)) continue;
    int nearest = INT_MAX;
    for (const VisibleNode* label : labels) {
      if (label->node->window_id() != nodes[i].node->window_id()) continue;
      const int away = label_distance(label->bounds, nodes[i].bounds);
      if (away >= nearest) continue;
      nearest = away;
      names[i] = label->node->name();
    }
  }
  return names;
}

}  // namespace da::observer
