// Gives accessible objects the ids that travel: a UUID for each, the same one each time it is seen in a task. Ids of
// another task are unknown, and so is every id once its task is over, or once there are too many: a page that renews
// its objects without an end must not fill the memory. Not thread-safe: the desktop's lock guards it.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "services/actuator/desktop/desktop.h"

namespace da::actuator {

// Forty times the largest tree that is read at once.
constexpr std::size_t kMaxElementIds = 200'000;

class ElementRegistry {
 public:
  // Before a tree is read or an action prepared. Forgets all ids where the task is another one than before, or where
  // there are kMaxElementIds of them: never within one answer, whose parents and children must go together.
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
