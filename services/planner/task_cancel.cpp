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
  stop_thinking();
  looks_.cancel();
  resumes_.cancel();
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
  stop_thinking();
  looks_.cancel();
  resumes_.cancel();
}

void TaskCancel::hold(std::string reason) {
  std::stop_source thinking(std::nostopstate);
  {
    const std::lock_guard lock(mutex_);
    if (held_) return;
    held_ = true;
    hold_reason_ = std::move(reason);
    looks_.cancel();  // Under the lock, so that a release does not come between.
    thinking = thinking_;
  }
  changed_.notify_all();
  thinking.request_stop();
}

void TaskCancel::release() {
  const std::lock_guard lock(mutex_);
  held_ = false;
  if (cancelled_) return;
  looks_.reset();
  thinking_ = std::stop_source();
}

std::stop_token TaskCancel::thinking() const {
  const std::lock_guard lock(mutex_);
  return thinking_.get_token();
}

// Callbacks run outside the lock.
void TaskCancel::stop_thinking() {
  std::stop_source source;
  {
    const std::lock_guard lock(mutex_);
    source = thinking_;
  }
  source.request_stop();
}

bool TaskCancel::held() const {
  const std::lock_guard lock(mutex_);
  return held_;
}

std::string TaskCancel::hold_reason() const {
  const std::lock_guard lock(mutex_);
  return hold_reason_;
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
  while (!cancelled_ && !held_) {
    const Nanoseconds left = until - clock.now();
    if (left <= Nanoseconds(0)) return Pause::kOver;
    changed_.wait_for(lock, left);
  }
  return Pause::kCancelled;
}

}  // namespace da::planner
