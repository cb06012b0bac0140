// Gives accessible objects the ids that travel: a UUID for each, the same one each time it is seen in a task. Ids of
// another task are unknown, and so is every id once there are too many: a page that renews its objects without an end
// must not fill the memory. Several tasks are remembered, so that who only looks at the desktop, which is a task of its
// own, takes nothing from the one that acts. Not thread-safe: the desktop's lock guards it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "services/actuator/desktop/desktop.h"

namespace da::actuator {

// Of one task: twenty times the largest tree that is read at once.
constexpr std::size_t kMaxElementIds = 100'000;
constexpr std::size_t kMaxTasksWithIds = 4;

class ElementRegistry {
 public:
  // Before a tree is read or an action prepared. Forgets the ids of the task where there are kMaxElementIds of them,
  // never within one answer, whose parents and children must go together; and those of the task that was entered the
  // longest time ago where there are kMaxTasksWithIds others.
  void enter_task(const std::string& task_id);

  // These of the task that was entered last.
  std::string id_of(const ElementHandle& element);
  std::optional<ElementHandle> find(const std::string& element_id) const;
  std::size_t size() const { return tasks_.at(task_id_).handles.size(); }

 private:
  struct Ids {
    std::map<ElementHandle, std::string> ids;
    std::map<std::string, ElementHandle> handles;
    std::uint64_t entered = 0;
  };

  std::string task_id_;
  std::uint64_t entered_ = 0;
  std::map<std::string, Ids> tasks_{{"", {}}};
};

}  // namespace da::actuator
