#include "services/actuator/grant/prepared_actions.h"

#include <algorithm>
#include <map>
#include <utility>

namespace da::actuator {

void PreparedActions::add(PreparedAction action) {
  actions_.push_back(std::move(action));
  if (actions_.size() <= kMax) return;
  std::map<std::string, std::size_t> counts;
  for (const PreparedAction& each : actions_) ++counts[each.challenge.task_id];
  const auto most = std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; });
  actions_.erase(
      std::ranges::find_if(actions_, [&](const auto& each) { return each.challenge.task_id == most->first; }));
}

std::optional<PreparedAction> PreparedActions::take(const std::string& id) {
  const auto at = std::ranges::find(actions_, id, &PreparedAction::id);
  if (at == actions_.end()) return std::nullopt;
  std::optional<PreparedAction> taken = std::move(*at);
  actions_.erase(at);
  return taken;
}

}  // namespace da::actuator
