// Describes how the desktop's windows differ from those before an action. Pure; any thread.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "services/actuator/desktop/roles/windows.h"

namespace da::actuator {

// What an action of the program `pid` has changed about windows, for people: a window of it opened, closed, or has
// another title. Another program's window counts only if it opened or closed and has or had the focus, because others
// also act by themselves. nullopt: nothing of it. pid 0: unknown, any program's.
std::optional<std::string> window_change(std::span<const WindowInfo> before, std::span<const WindowInfo> now,
                                         std::uint32_t pid);

}  // namespace da::actuator
