#include "services/policy/task/task_serializer.h"

#include <string>

namespace da::policy {
namespace {

// An honest planner submits one step at a time, and at most four of a plan.
constexpr std::uint32_t kMaxWaitingSteps = 16;

}  // namespace

Result<TaskSerializer::Turn> TaskSerializer::take(const std::stop_token& stop) {
  std::unique_lock hold(mutex_);
  if (waiting_ >= kMaxWaitingSteps) {
    return Error{Code::kResourceExhausted,
                 "steps of this task that wait for their turn: at most " + std::to_string(kMaxWaitingSteps)};
  }
  ++waiting_;
  const bool free = changed_.wait(hold, stop, [this] { return !taken_; });
  --waiting_;
  if (!free) return Error{Code::kCancelled, "the step was cancelled while it waited for an earlier step"};
  taken_ = true;
  return Turn(*this);
}

void TaskSerializer::end() {
  const std::lock_guard hold(mutex_);
  taken_ = false;
  changed_.notify_all();
}

}  // namespace da::policy
