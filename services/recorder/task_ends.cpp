#include "services/recorder/task_ends.h"

#include "da/v1/history.pb.h"
#include "da/v1/task.pb.h"

namespace da::recorder {

void TaskEnds::note(const recording::RecordedFact& fact, MonoTime now) {
  const std::string& task_id = fact.header.task_id();
  if (fact.type == v1::TaskOpened::descriptor()) {
    tasks_.try_emplace(task_id);
    return;
  }
  const auto task = tasks_.find(task_id);
  if (task == tasks_.end()) return;
  if (fact.type == v1::TaskAccepted::descriptor()) task->second.accepted = true;
  if (fact.type == v1::TaskEnded::descriptor()) task->second.ended = true;
  if (fact.type == v1::TaskClosed::descriptor() && !task->second.closed) task->second.closed = now;
}

std::vector<std::string> TaskEnds::take_over(MonoTime now) {
  std::vector<std::string> over;
  std::erase_if(tasks_, [&](const auto& entry) {
    const auto& [task_id, task] = entry;
    const bool planner_done = !task.accepted || task.ended;
    if (!task.closed || (!planner_done && now - *task.closed < kPatience)) return false;
    over.push_back(task_id);
    return true;
  });
  return over;
}

}  // namespace da::recorder
