#include "services/recorder/task_ends.h"

#include "da/v1/history.pb.h"
#include "da/v1/task.pb.h"

namespace da::recorder {

void TaskEnds::note(const recording::RecordedFact& fact, MonoTime now) {
  const std::string& task_id = fact.header.task_id();
  if (fact.type == v1::TaskOpened::descriptor()) {
    if (tasks_.size() < kMostTasks) tasks_.try_emplace(task_id);
    return;
  }
  const auto task = tasks_.find(task_id);
  if (task == tasks_.end()) return;
  if (fact.type == v1::TaskAccepted::descriptor()) task->second.accepted = true;
  if (fact.type == v1::TaskEnded::descriptor()) task->second.ended = true;
  if (fact.type == v1::TaskClosed::descriptor() && !task->second.closed) task->second.closed = now;
}

void TaskEnds::note_open(const std::set<std::string>& task_ids, MonoTime now) {
  for (auto& [task_id, task] : tasks_) {
    if (task_ids.contains(task_id)) {
      task.unknown.reset();
    } else if (!task.unknown) {
      task.unknown = now;
    }
  }
}

std::vector<TaskOver> TaskEnds::take_over(MonoTime now) {
  std::vector<TaskOver> over;
  std::erase_if(tasks_, [&](const auto& entry) {
    const auto& [task_id, task] = entry;
    const auto patience_is_over = [now](const std::optional<MonoTime>& since) {
      return since && now - *since >= kPatience;
    };
    const bool planner_done = !task.accepted || task.ended;
    if (task.closed ? planner_done || patience_is_over(task.closed) : patience_is_over(task.unknown)) {
      over.push_back({task_id, task.closed ? "" : "da-policy was started again and does not know the task"});
      return true;
    }
    return false;
  });
  return over;
}

}  // namespace da::recorder
