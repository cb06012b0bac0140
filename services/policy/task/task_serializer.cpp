#include "services/policy/task/task_serializer.h"

namespace da::policy {
namespace {

// An honest planner submits one step at a time, and at most four of a plan.
constexpr std::uint32_t kMaxWaitingSteps = 16;

}  // namespace

Result<TaskSerializer::Turn> TaskSerializer::take(const std::string& task_id, const std::stop_token& stop) {
  std::unique_lock hold(mutex_);
  Queue& queue = tasks_[task_id];
  if (queue.waiting >= kMaxWaitingSteps) {
    return Error{Code::kResourceExhausted,
                 std::to_string(kMaxWaitingSteps) + " steps of this task are already waiting for their turn"};
  }
  ++queue.waiting;
  const bool free = changed_.wait(hold, stop, [&] { return !queue.taken; });
  --queue.waiting;
  if (!free) {
    drop_if_idle(task_id);
    return Error{Code::kCancelled, "the step was cancelled while it waited for an earlier step"};
  }
  queue.taken = true;
  return Turn(*this, task_id);
}

void TaskSerializer::end(const std::string& task_id) {
  const std::lock_guard hold(mutex_);
  tasks_[task_id].taken = false;
  drop_if_idle(task_id);
  changed_.notify_all();
}

// References to the other map entries stay valid.
void TaskSerializer::drop_if_idle(const std::string& task_id) {
  const auto found = tasks_.find(task_id);
  if (!found->second.taken && found->second.waiting == 0) tasks_.erase(found);
}

}  // namespace da::policy
