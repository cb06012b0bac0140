#include "services/actuator/proof/windows_in_front.h"

#include <algorithm>

namespace da::actuator {
namespace {

bool belongs_to(const ClickArea& area, const OwnWindows& own) {
  const auto is_own = [&](const std::string& id) { return std::ranges::find(own.ids, id) != own.ids.end(); };
  if (is_own(area.window.id) || (!area.owner_id.empty() && is_own(area.owner_id))) return true;
  const bool of_another_program = area.window.pid != 0 && own.pid != 0 && area.window.pid != own.pid;
  return !area.listed && !of_another_program;
}

}  // namespace

std::vector<Rect> areas_in_front(std::span<const ClickArea> areas, const OwnWindows& own) {
  std::vector<Rect> in_front;
  std::vector<Rect> since_last_own;
  for (const ClickArea& area : areas) {
    if (std::ranges::find(own.ids, area.window.id) != own.ids.end()) {
      in_front.insert(in_front.end(), since_last_own.begin(), since_last_own.end());
      since_last_own.clear();
    }
    if (belongs_to(area, own)) continue;
    std::ranges::copy_if(area.parts, std::back_inserter(since_last_own),
                         [&](const Rect& part) { return !intersection(part, own.area).empty(); });
  }
  return in_front;
}

}  // namespace da::actuator
