// Gives accessible objects the ids that travel: a UUID for each, the same one each time it is seen in a task. Ids of
// another task are unknown, and so is every id once its task is over. Not thread-safe: the desktop's lock guards it.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "services/actuator/desktop/desktop.h"

namespace da::actuator {

class ElementRegistry {
 public:
  // Forgets all ids where the task is another one than before.
  void enter_task(const std::string& task_id);

  std::string id_of(const ElementHandle& element);
  std::optional<ElementHandle> find(const std::string& element_id) const;
  std::size_t size() const { return handles_.size(); }

 private:
  std::string task_id_;
  std::map<ElementHandle, std::string> ids_;
  std::map<std::string, ElementHandle> handles_;
};

}  // namespace da::actuator
