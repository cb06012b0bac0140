// Tells which entries of a GTK3 menu show that is longer than the screen. GTK3 reports that all of them show, at places
// outside of the menu too. Arrows at the ends of such a menu scroll it, and so does the wheel. Pure; any thread. Pixels
// in the application's coordinates.
#pragma once

#include <vector>

#include "services/actuator/desktop/x11/atspi/bus/accessible_node.h"

namespace da::actuator::x11 {

// Whether the node is an open menu whose extents are those of its window: not the title of a menu in a menu bar.
bool is_menu_window(const AccessibleNode& node);

// Sets AccessibleNode.entries of each such menu among the nodes.
void find_menu_entries(std::vector<AccessibleNode>& nodes);

// The part of the menu in which entries show: without its arrows, which are not higher than its entries. Empty: all
// entries show, or the node is no such menu.
Rect area_of_entries(const AccessibleNode& menu);

}  // namespace da::actuator::x11
