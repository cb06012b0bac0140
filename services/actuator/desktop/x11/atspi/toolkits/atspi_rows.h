// Estimates the places of scrolled-out rows of a GTK3 list. GTK3 reports them as showing, with a size but no place. The
// estimate from a showing row gives the direction and approximate distance to scroll. Pure; any thread. Pixels in the
// application's coordinates.
#pragma once

#include <vector>

#include "services/actuator/desktop/x11/atspi/bus/accessible_node.h"

namespace da::actuator::x11 {

bool is_column_header(const AccessibleNode& node);

// Visible, or a row or cell that may be scrolled out: Qt reports those as not visible.
bool may_show(const std::vector<AccessibleNode>& nodes, const AccessibleNode& node);

// Sets AccessibleNode.header of each table among the nodes.
void find_column_headers(std::vector<AccessibleNode>& nodes);

// Sets the extents of such nodes. Parents come before children, children in order.
void place_scrolled_out_rows(std::vector<AccessibleNode>& nodes);

// The place of an element that is `rows_below` rows below a showing row; negative: above.
Rect place_of_row(const Rect& showing, int rows_below, const Rect& size);

}  // namespace da::actuator::x11
