// Estimates the places of scrolled-out widgets. GTK3 reports them as visible and not showing, with a size but no place:
// rows of list boxes, and everything else in a viewport. The estimate gives the direction to scroll. Widgets on hidden
// pages are reported in the same way, so only containers that are larger than their viewport count. Pure; any thread.
// Pixels in the application's coordinates.
#pragma once

#include <optional>
#include <vector>

#include "services/actuator/desktop/x11/atspi/bus/accessible_node.h"

namespace da::actuator::x11 {

// Whether GTK3 may have scrolled the object out of its viewport.
bool may_be_scrolled_out(const AccessibleNode& node);

// Returns for each node the extents of the innermost viewport around it; nullopt outside of viewports.
std::vector<std::optional<Rect>> views_of(const std::vector<AccessibleNode>& nodes);

// Sets the extents of such nodes. Parents come before children, children in order.
void place_scrolled_out_widgets(std::vector<AccessibleNode>& nodes);

}  // namespace da::actuator::x11
