// Where rows are that are scrolled out of a GTK3 list. GTK3 says of them that they show, and tells their size, but no
// place; so it is reckoned from a row that shows, and only says in which direction and about how far to scroll. Pure;
// any thread. Pixels, as the application counts them.
#pragma once

#include <vector>

#include "services/actuator/desktop/x11/atspi_collect.h"

namespace da::actuator::x11 {

// Gives such nodes their extents. Parents stand before their children, children in their order.
void place_scrolled_out_rows(std::vector<AccessibleNode>& nodes);

// The place of what is this many rows below a row that shows; above it where the number is negative.
Rect place_of_row(const Rect& showing, int rows_below, const Rect& size);

}  // namespace da::actuator::x11
