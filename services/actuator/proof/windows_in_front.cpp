#include "services/actuator/proof/windows_in_front.h"

#include <algorithm>
#include <ranges>

namespace da::actuator {
namespace {

bool is_own(const WindowInfo& window, const OwnWindows& own) {
  return std::ranges::find(own.ids, window.id) != own.ids.end();
}

// The windows in front of the last own one, and the end of these.
std::span<const WindowInfo> in_front(std::span<const WindowInfo> listed, const OwnWindows& own) {
  const auto last =
      std::ranges::find_if(listed.rbegin(), listed.rend(), [&](const WindowInfo& each) { return is_own(each, own); });
  if (last == listed.rend()) return {};
  return listed.first(static_cast<std::size_t>(std::distance(last, listed.rend())) - 1);
}

bool covers(const WindowInfo& window, const OwnWindows& own) {
  return !is_own(window, own) && !window.minimized && window.mapped && !intersection(window.bounds, own.area).empty();
}

}  // namespace

std::vector<Rect> windows_in_front(std::span<const WindowInfo> listed, const OwnWindows& own) {
  std::vector<Rect> areas;
  for (const WindowInfo& window : in_front(listed, own)) {
    if (covers(window, own)) areas.push_back(window.bounds);
  }
  return areas;
}

bool is_stranger_in_front(const WindowInfo& window, std::span<const WindowInfo> listed, const OwnWindows& own) {
  if (own.pid == 0 || window.pid == 0 || window.pid == own.pid || !covers(window, own)) return false;
  const auto behind = listed.subspan(in_front(listed, own).size());
  return std::ranges::find(behind, window.id, &WindowInfo::id) == behind.end();
}

}  // namespace da::actuator
