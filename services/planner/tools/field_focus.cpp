#include "services/planner/tools/field_focus.h"

#include <algorithm>
#include <cstddef>
#include <map>

#include "lib/base/text.h"

namespace da::planner {
namespace {

constexpr int kFocusLooks = 8;  // Each takes about 50 ms. Some toolkits never report the focus.

}  // namespace

std::string focused_elsewhere(const v1::UiTree& tree, const std::string& element_id) {
  std::map<std::string, const v1::UiNode*> nodes;
  for (const v1::UiNode& node : tree.nodes()) nodes.emplace(node.element_id(), &node);
  const auto is_within = [&](const v1::UiNode& node, const std::string& outer) {
    const v1::UiNode* at = &node;
    for (std::size_t up = 0; up < nodes.size() && at->element_id() != outer; ++up) {
      const auto parent = nodes.find(at->parent_id());
      if (parent == nodes.end()) return false;
      at = parent->second;
    }
    return at->element_id() == outer;
  };
  const auto own = nodes.find(element_id);
  if (own == nodes.end()) return {};
  std::string other;
  for (const v1::UiNode& node : tree.nodes()) {
    if (node.window_id() != own->second->window_id() || !has_state(node, v1::UI_STATE_FOCUSED)) continue;
    if (is_within(node, element_id)) return {};
    if (is_within(*own->second, node.element_id())) continue;
    other =
        "the " + escape_foreign(node.role(), 40) + (node.name().empty() ? "" : " " + quote_foreign(node.name(), 60));
  }
  return other;
}

Result<FieldFocus> await_field_focus(TaskView& view, const std::string& field, const v1::UiNode& seen) {
  FieldFocus focus{.field = seen};
  for (int look = 0; look < kFocusLooks; ++look) {
    const auto tree = view.ui_tree();
    if (!tree && is_lost_or_cancelled(tree.error())) return tree.error();
    if (!tree) continue;
    const auto known = std::ranges::find(tree->nodes(), focus.field.element_id(), &v1::UiNode::element_id);
    if (known != tree->nodes().end()) {
      focus.field = *known;
    } else {
      const auto found = view.find_one(field, v1::ACTIONABLE_EDITABLE, Ocr::kWithout, Milliseconds(0));
      if (!found && is_lost_or_cancelled(found.error())) return found.error();
      if (!found) continue;
      focus.field = found->node();
    }
    if (has_state(focus.field, v1::UI_STATE_FOCUSED)) {
      focus.state = FieldFocus::State::kFocused;
      return focus;
    }
    focus.elsewhere = focused_elsewhere(*tree, focus.field.element_id());
    focus.state = focus.elsewhere.empty() ? FieldFocus::State::kUnreported : FieldFocus::State::kElsewhere;
  }
  return focus;
}

}  // namespace da::planner
