#include "services/planner/ui_text.h"

#include "lib/base/text.h"
#include "services/planner/sight.h"

namespace da::planner {
namespace {

constexpr std::size_t kShown = 120;  // Characters of a name or content.

std::string quoted(std::string_view text) { return "\"" + escape_foreign(text, kShown) + "\""; }

}  // namespace

std::string element_line(const v1::UiNode& node) {
  std::string line = node.element_id() + " " + escape_foreign(node.role(), 40) + " " + quoted(node.name());
  if (!node.text().empty()) line += ", text " + quoted(node.text());
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
