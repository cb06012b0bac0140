#include "services/actuator/desktop/x11/atspi/toolkits/atspi_long_menus.h"

#include <algorithm>

#include "services/actuator/desktop/x11/atspi/bus/atspi_roles.h"

namespace da::actuator::x11 {

bool is_menu_window(const AccessibleNode& node) {
  const auto role = role_name(node.role);
  const bool is_menu = role == "menu" || role == "popup menu";
  return is_menu && is_showing(node.states) && node.extents.height > node.extents.width;
}

void find_menu_entries(std::vector<AccessibleNode>& nodes) {
  for (const AccessibleNode& node : nodes) {
    if (node.parent == AccessibleNode::kNoParent || node.extents.empty()) continue;
    AccessibleNode& menu = nodes[node.parent];
    if (!is_menu_window(menu)) continue;
    menu.entries = bounding(menu.entries, node.extents);
    menu.entry_height = std::max(menu.entry_height, node.extents.height);
  }
}

Rect area_of_entries(const AccessibleNode& menu) {
  const Rect& window = menu.extents;
  const bool in_column = menu.entries.x >= window.x && menu.entries.right() <= window.right();
  if (menu.entries.empty() || !in_column || 4 * menu.entry_height > window.height) return {};
  const int above = menu.entries.y < window.y ? menu.entry_height : 0;
  const int below = menu.entries.bottom() > window.bottom() ? menu.entry_height : 0;
  if (above + below == 0) return {};
  return {window.x, window.y + above, window.width, window.height - above - below};
}

}  // namespace da::actuator::x11
