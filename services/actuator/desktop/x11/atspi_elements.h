// Accessible objects as the elements of a window, set right where a toolkit tells what is not so: a dialog that is
// about to open, menus whose items have wrong places, a menu bar that does not show, a root pane beside its place.
// Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/desktop/x11/atspi_collect.h"
#include "services/actuator/desktop/x11/atspi_windows.h"

namespace da::actuator::x11 {

ElementHandle handle_of(const AccessibleRef& ref);
// nullopt where it is no handle of ours.
std::optional<AccessibleRef> ref_of(const ElementHandle& handle);

// From an application's coordinates to the desktop's.
Rect moved(const Rect& extents, Point offset);

// Whether the window of this top level is about to open: the application says that it shows before it does.
bool is_opening(const AccessibleNode& top, const FrameWindow& place);

// One element for each node; nodes[0] is a top level, whose window is at `place`; parents stand before their children.
std::vector<Element> elements_of(const std::vector<AccessibleNode>& nodes, std::uint32_t pid, const FrameWindow& place);

}  // namespace da::actuator::x11
