#include "services/planner/tools/ui_text.h"

#include "lib/base/text.h"
#include "services/planner/task/task_view.h"

namespace da::planner {

std::string element_line(const v1::UiNode& node) {
  std::string line = node.element_id() + " " + escape_foreign(node.role(), 40) + " " + quote_foreign(node.name());
  if (!node.text().empty()) line += ", text " + quote_foreign(node.text());
  if (has_state(node, v1::UI_STATE_PASSWORD)) line += ", password";
  if (!has_state(node, v1::UI_STATE_ENABLED)) line += ", disabled";
  if (has_state(node, v1::UI_STATE_FOCUSED)) line += ", has the focus";
  if (has_state(node, v1::UI_STATE_CHECKED)) line += ", checked";
  if (has_state(node, v1::UI_STATE_SELECTED)) line += ", selected";
  if (has_state(node, v1::UI_STATE_EXPANDED)) line += ", expanded";
  return line;
}

bool is_telling(const v1::UiNode& node) {
  const bool says_something = !node.name().empty() || !node.text().empty() || has_state(node, v1::UI_STATE_EDITABLE);
  return says_something && has_state(node, v1::UI_STATE_SHOWING);
}

}  // namespace da::planner
