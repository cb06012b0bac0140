// Describes how the desktop's windows differ from those before an action. Pure; any thread.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "services/actuator/desktop/roles/windows.h"

namespace da::actuator {

// What an action of the program `pid` has changed about windows, for people: a window of it opened, closed, or has
// another title. Others also act by themselves: another program's window counts only if it has the focus and is the
// first one of its program, or if it closed and had the focus. nullopt: nothing of it. pid 0: unknown, any program's.
std::optional<std::string> window_change(std::span<const WindowInfo> before, std::span<const WindowInfo> now,
                                         std::uint32_t pid);

}  // namespace da::actuator
