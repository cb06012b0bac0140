// Tells which parts of the screen show other windows in front of the ones that an action is for. What changes there is
// no effect of the action: a window may only just have come there, or show a clock. Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "services/actuator/desktop/roles/windows.h"

namespace da::actuator {

// The windows of an action.
struct OwnWindows {
  std::vector<std::string> ids;
  std::uint32_t pid = 0;  // Their program; 0: unknown.
  Rect area;              // Bounds around them.
};

// The places of all windows that lie in front of one of the action's own and overlap them. `listed`: front to back.
// Empty if none of its own is listed.
std::vector<Rect> windows_in_front(std::span<const WindowInfo> listed, const OwnWindows& own);

// Whether a window that shows at a changed pixel covers the action's own windows and belongs to another program, so
// that it may be an unlisted one, such as a notification, or one that was listed too late.
bool is_stranger_in_front(const WindowInfo& window, std::span<const WindowInfo> listed, const OwnWindows& own);

}  // namespace da::actuator
