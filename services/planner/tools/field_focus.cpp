#include "services/planner/tools/field_focus.h"

#include <algorithm>

#include "lib/base/text.h"

namespace da::planner {
namespace {

constexpr int kFocusLooks = 8;  // Each takes about 50 ms. Some toolkits never report the focus.

// Some toolkits report the focus of an element around the field, such as its frame or page.
void tell_focus(const v1::UiTree& tree, FieldFocus& focus) {
  focus.state = FieldFocus::State::kUnreported;
  focus.elsewhere.clear();
  for (const v1::UiNode& node : tree.nodes()) {
    if (node.window_id() != focus.field.window_id() || !has_state(node, v1::UI_STATE_FOCUSED)) continue;
    const bool is_around = node.role() == "frame" || node.role() == "window" || node.role() == "dialog";
    if (is_around) continue;
    focus.state = FieldFocus::State::kElsewhere;
    focus.elsewhere =
        "the " + escape_foreign(node.role(), 40) + (node.name().empty() ? "" : " " + quote_foreign(node.name(), 60));
  }
}

}  // namespace

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
    tell_focus(*tree, focus);
  }
  return focus;
}

}  // namespace da::planner
