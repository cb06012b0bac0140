#include "services/actuator/element_registry.h"

#include "lib/base/id.h"

namespace da::actuator {

void ElementRegistry::enter_task(const std::string& task_id) {
  if (task_id == task_id_ && handles_.size() < kMaxElementIds) return;
  task_id_ = task_id;
  ids_.clear();
  handles_.clear();
}

std::string ElementRegistry::id_of(const ElementHandle& element) {
  const auto [entry, is_new] = ids_.try_emplace(element);
  if (is_new) {
    entry->second = random_uuid();
    handles_.emplace(entry->second, element);
  }
  return entry->second;
}

std::optional<ElementHandle> ElementRegistry::find(const std::string& element_id) const {
  const auto found = handles_.find(element_id);
  if (found == handles_.end()) return std::nullopt;
  return found->second;
}

}  // namespace da::actuator
