#include "services/actuator/proof/window_change.h"

#include <algorithm>

namespace da::actuator {
namespace {

const WindowInfo* find(std::span<const WindowInfo> windows, const std::string& id) {
  const auto found = std::ranges::find(windows, id, &WindowInfo::id);
  return found == windows.end() ? nullptr : &*found;
}

}  // namespace

std::optional<std::string> window_change(std::span<const WindowInfo> before, std::span<const WindowInfo> now,
                                         std::uint32_t pid) {
  const auto counts = [&](const WindowInfo& window) { return pid == 0 || window.pid == pid; };
  // An action may start a program, as a file manager does. One that has windows already may open more at any time.
  const auto is_new_program = [&](const WindowInfo& window) {
    return window.focused && std::ranges::find(before, window.pid, &WindowInfo::pid) == before.end();
  };
  for (const WindowInfo& window : now) {
    const WindowInfo* earlier = find(before, window.id);
    if (earlier == nullptr && (counts(window) || is_new_program(window))) return "a window opened";
    if (earlier == nullptr || !counts(window)) continue;
    if (earlier->title != window.title) return "a window's title changed";
    if (earlier->minimized != window.minimized) return "a window was minimized or restored";
    if (earlier->bounds != window.bounds) return "a window was moved or resized";
  }
  for (const WindowInfo& window : before) {
    if (find(now, window.id) == nullptr && (counts(window) || window.focused)) return "a window closed";
  }
  return std::nullopt;
}

}  // namespace da::actuator
