// Tells which parts of the screen show other windows in front of the ones that an action is for. What changes there is
// no effect of the action: a window may only just have come there, or show a clock. Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "services/actuator/desktop/roles/desktop_state.h"

namespace da::actuator {

// The windows of an action.
struct OwnWindows {
  std::vector<std::string> ids;
  std::uint32_t pid = 0;  // Their program; 0: unknown.
  Rect area;              // Bounds around them.
};

// The parts of all windows that overlap the action's own ones and lie in front of one of them. `areas`: front to back.
// Unlisted windows count only if they belong to another program, as notifications do; those of its own program are its
// menus. Empty if none of its own windows takes clicks.
std::vector<Rect> areas_in_front(std::span<const ClickArea> areas, const OwnWindows& own);

}  // namespace da::actuator
