#include "services/actuator/target/element_registry.h"

#include <algorithm>

#include "lib/base/id.h"

namespace da::actuator {

void ElementRegistry::enter_task(const std::string& task_id) {
  task_id_ = task_id;
  Ids& task = tasks_[task_id];
  if (task.handles.size() >= kMaxElementIds) task = {};
  task.entered = ++entered_;
  if (tasks_.size() > kMaxTasksWithIds)
    tasks_.erase(std::ranges::min_element(tasks_, {}, [](const auto& entry) { return entry.second.entered; }));
}

void ElementRegistry::forget_closed(const std::function<bool(const std::string&)>& is_open) {
  std::erase_if(tasks_, [&](const auto& task) { return task.first != task_id_ && !is_open(task.first); });
}

void ElementRegistry::forget_all() {
  tasks_.clear();
  tasks_[task_id_].entered = entered_;
}

std::string ElementRegistry::id_of(const ElementHandle& element) {
  Ids& task = tasks_.at(task_id_);
  const auto [entry, is_new] = task.ids.try_emplace(element);
  if (is_new) {
    entry->second = random_uuid();
    task.handles.emplace(entry->second, element);
  }
  return entry->second;
}

std::optional<ElementHandle> ElementRegistry::find(const std::string& element_id) const {
  const Ids& task = tasks_.at(task_id_);
  const auto found = task.handles.find(element_id);
  if (found == task.handles.end()) return std::nullopt;
  return found->second;
}

}  // namespace da::actuator
