#include "services/actuator/proof/window_change.h"

#include <algorithm>

namespace da::actuator {
namespace {

const WindowInfo* find(std::span<const WindowInfo> windows, const std::string& id) {
  const auto found = std::ranges::find(windows, id, &WindowInfo::id);
  return found == windows.end() ? nullptr : &*found;
}

// The clock wraps around after 49 days.
bool is_earlier(std::uint32_t time, std::uint32_t other) { return static_cast<std::int32_t>(time - other) < 0; }

// When the target took input since `before`; nullopt: it took none, or does not tell.
std::optional<std::uint32_t> taken_at(std::span<const WindowInfo> before, std::span<const WindowInfo> now,
                                      const std::string& target) {
  const WindowInfo* earlier = find(before, target);
  const WindowInfo* later = find(now, target);
  if (earlier == nullptr || later == nullptr || earlier->input_time == later->input_time) return std::nullopt;
  return later->input_time;
}

}  // namespace

bool tells_new_input(std::span<const WindowInfo> before, std::span<const WindowInfo> now, const std::string& window) {
  return taken_at(before, now, window).has_value();
}

bool has_new_window(std::span<const WindowInfo> before, std::span<const WindowInfo> now, std::uint32_t pid) {
  return std::ranges::any_of(
      now, [&](const WindowInfo& window) { return window.pid == pid && find(before, window.id) == nullptr; });
}

std::optional<std::string> window_change(std::span<const WindowInfo> before, std::span<const WindowInfo> now,
                                         std::uint32_t pid, std::span<const std::string> targets, bool on_content) {
  const auto taken = targets.empty() ? std::nullopt : taken_at(before, now, targets.front());
  const WindowInfo* target = targets.empty() ? nullptr : find(before, targets.front());
  const bool is_first_input = target != nullptr && !target->input_time;
  // A program that tells the time of its input gives it to its windows, as soon as it has got some.
  const auto is_too_old = [&](const WindowInfo& window) {
    if (!taken) return false;
    if (window.input_time) return is_earlier(*window.input_time, *taken);
    return is_first_input && pid != 0 && window.pid == pid;
  };
  const auto counts = [&](const WindowInfo& window) { return pid == 0 || window.pid == pid; };
  const auto acted_on = [&](const WindowInfo& window) {
    return targets.empty() ? counts(window) : std::ranges::find(targets, window.id) != targets.end();
  };
  // An action may start a program, as a file manager does. One that has windows already may open more at any time.
  const auto is_new_program = [&](const WindowInfo& window) {
    return window.focused && std::ranges::find(before, window.pid, &WindowInfo::pid) == before.end();
  };
  for (const WindowInfo& window : now) {
    const WindowInfo* earlier = find(before, window.id);
    if (earlier == nullptr && (counts(window) || is_new_program(window)) && !is_too_old(window))
      return "a window opened";
    if (earlier == nullptr || !acted_on(window)) continue;
    if (targets.empty() && earlier->title != window.title) return "a window's title changed";
    if (on_content && !taken) continue;
    if (earlier->minimized != window.minimized) return "a window was minimized or restored";
    if (earlier->bounds != window.bounds) return "a window was moved or resized";
  }
  for (const WindowInfo& window : before) {
    if (find(now, window.id) == nullptr && (acted_on(window) || window.focused)) return "a window closed";
  }
  return std::nullopt;
}

}  // namespace da::actuator
