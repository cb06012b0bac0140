// Describes how the desktop's windows differ from those before an action. Pure; any thread.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "services/actuator/desktop/roles/windows.h"

namespace da::actuator {

// What an action of the program `pid` has changed about windows, for people: a window of it opened, closed, or has
// another title. Windows also act by themselves: another program's window counts only if it has the focus and is the
// first one of its program, or if it closed and had the focus. A window does not count if its program showed it before
// it took the action's input, as their input times tell. nullopt: nothing of it. pid 0: unknown, any program's.
// `targets`: the ids of the action's windows; if there are any, only these count as moved, minimized or closed, and
// titles do not count: those of pages change by themselves. `on_content`: the action clicks on the content of the first
// one, which then moves or is minimized by that click only if its program tells that it took it.
std::optional<std::string> window_change(std::span<const WindowInfo> before, std::span<const WindowInfo> now,
                                         std::uint32_t pid, std::span<const std::string> targets = {},
                                         bool on_content = false);

// Whether a window tells that it took input since `before`.
bool tells_new_input(std::span<const WindowInfo> before, std::span<const WindowInfo> now, const std::string& window);

// Whether the program `pid` has shown a window that was not there before.
bool has_new_window(std::span<const WindowInfo> before, std::span<const WindowInfo> now, std::uint32_t pid);

}  // namespace da::actuator
