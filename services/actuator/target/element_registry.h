// Gives each accessible object an id for messages: a UUID that stays the same within a task. Ids of another task are
// unknown. When a task has too many ids, all of them are forgotten, because a page that renews its objects endlessly
// must not fill the memory. Several tasks are remembered, so that a task that only observes does not displace the ids
// of the acting one. Not thread-safe: the desktop's lock guards it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "services/actuator/desktop/roles/ui_tree.h"

namespace da::actuator {

// Per task: twenty times the largest tree that one call reads.
constexpr std::size_t kMaxElementIds = 100'000;
constexpr std::size_t kMaxTasksWithIds = 4;

class ElementRegistry {
 public:
  // Call it before reading a tree or preparing an action. Forgets the task's ids once it has kMaxElementIds (only here,
  // so that parents and children of one answer match), and the least recently entered task beyond kMaxTasksWithIds.
  void enter_task(const std::string& task_id);

  // Forgets the ids of closed tasks, so that they take no room from open ones. Call it before enter_task().
  void forget_closed(const std::function<bool(const std::string& task_id)>& is_open);
  void forget_all();

  // These three use the ids of the task that was entered last.
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
