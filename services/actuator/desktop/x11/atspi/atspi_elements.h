// Converts accessible objects to elements of a window, and corrects wrong reports of toolkits: dialogs that are about
// to open, wrong places of menu items and root panes, hidden menu bars, pages that are not scaled as their window is.
// Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "services/actuator/desktop/roles/ui_tree.h"
#include "services/actuator/desktop/x11/atspi/atspi_collect.h"
#include "services/actuator/desktop/x11/atspi/atspi_windows.h"

namespace da::actuator::x11 {

ElementHandle handle_of(const AccessibleRef& ref);
// nullopt for an invalid handle.
std::optional<AccessibleRef> ref_of(const ElementHandle& handle);

// Whether this is a role of windows that a window manager lists, unlike menus and tooltips.
bool is_window_role(std::uint32_t role);

// Whether the window of this top level is about to open: applications report it as showing before it shows.
bool is_opening(const AccessibleNode& top, const FrameWindow& place);

// How each node's extents become desktop pixels; nullopt: the place is unknown. Parameters as for elements_of().
std::vector<std::optional<PlaceMap>> maps_of(const std::vector<AccessibleNode>& nodes, const FrameWindow& place);

// One element per node. nodes[0] is a top level, whose window is at `place`; parents come before children.
std::vector<Element> elements_of(const std::vector<AccessibleNode>& nodes, std::uint32_t pid, const FrameWindow& place);

// A document of a browser.
bool is_page(const AccessibleNode& node);

}  // namespace da::actuator::x11
