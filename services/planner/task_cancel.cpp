#include "services/planner/task_cancel.h"

#include <utility>

namespace da::planner {

void TaskCancel::cancel(std::string reason) {
  {
    const std::lock_guard lock(mutex_);
    if (cancelled_) return;
    cancelled_ = true;
    reason_ = std::move(reason);
  }
  changed_.notify_all();
  looks_.cancel();
  submits_.cancel();
}

void TaskCancel::halt(std::string reason) {
  {
    const std::lock_guard lock(mutex_);
    if (cancelled_) return;
    cancelled_ = true;
    halted_ = true;
    reason_ = std::move(reason);
  }
  changed_.notify_all();
  looks_.cancel();
}

bool TaskCancel::halted() const {
  const std::lock_guard lock(mutex_);
  return halted_;
}

bool TaskCancel::cancelled() const {
  const std::lock_guard lock(mutex_);
  return cancelled_;
}

std::string TaskCancel::reason() const {
  const std::lock_guard lock(mutex_);
  return reason_;
}

TaskCancel::Pause TaskCancel::pause_until(const Clock& clock, MonoTime until) {
  std::unique_lock lock(mutex_);
  while (!cancelled_) {
    const Nanoseconds left = until - clock.now();
    if (left <= Nanoseconds(0)) return Pause::kOver;
    changed_.wait_for(lock, left);
  }
  return Pause::kCancelled;
}

}  // namespace da::planner
