// Finds the windows of GTK4's popovers. GTK up to 4.8 reports where a popover lies in the layout of its parent window,
// but shows it in a window of its own, elsewhere. Pure; any thread.
#pragma once

#include <optional>
#include <span>

#include "services/actuator/desktop/place_map.h"
#include "services/actuator/desktop/x11/atspi/bus/accessible_node.h"

namespace da::actuator::x11 {

// Whether the node is a popover by its name, before names of types are removed.
bool is_popover(const AccessibleNode& node);

// How far, in reported pixels, the popover shows from its reported place. `anchor`: the reported place of what it
// belongs to. `popups`: the client areas of its process's unmanaged windows, desktop pixels. nullopt: none of them or
// several have its size.
std::optional<Point> popover_displacement(const AccessibleNode& popover, const Rect& anchor, const PlaceMap& map,
                                          std::span<const Rect> popups);

}  // namespace da::actuator::x11
