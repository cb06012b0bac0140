#include "services/planner/task/task_cancel.h"

#include <utility>

namespace da::planner {

void TaskCancel::cancel(std::string reason) {
  if (end(std::move(reason), false)) submits_.request_stop();
}

void TaskCancel::halt(std::string reason) { static_cast<void>(end(std::move(reason), true)); }

// False if the task had already been cancelled or halted. Stops the work under the lock, so that a thread that sees the
// new state also sees the stop; the callbacks only wake calls and waits, and ask nothing here.
bool TaskCancel::end(std::string reason, bool halted) {
  {
    const std::lock_guard lock(mutex_);
    if (cancelled_) return false;
    cancelled_ = true;
    halted_ = halted;
    reason_ = std::move(reason);
    work_.request_stop();
    resumes_.request_stop();
  }
  changed_.notify_all();
  return true;
}

void TaskCancel::hold(std::string reason) {
  {
    const std::lock_guard lock(mutex_);
    if (held_) return;
    held_ = true;
    hold_reason_ = std::move(reason);
    work_.request_stop();
  }
  changed_.notify_all();
}

void TaskCancel::release() {
  const std::lock_guard lock(mutex_);
  held_ = false;
  if (cancelled_) return;
  work_ = std::stop_source();
}

std::stop_token TaskCancel::work() const {
  const std::lock_guard lock(mutex_);
  return work_.get_token();
}

TaskCancel::Pause TaskCancel::pause_until(const Clock& clock, MonoTime until) {
  std::unique_lock lock(mutex_);
  while (!cancelled_ && !held_) {
    const Nanoseconds left = until - clock.now();
    if (left <= Nanoseconds(0)) return Pause::kOver;
    changed_.wait_for(lock, left);
  }
  return Pause::kCancelled;
}

}  // namespace da::planner
