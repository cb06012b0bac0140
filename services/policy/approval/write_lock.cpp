#include "services/policy/approval/write_lock.h"

#include "lib/base/text.h"

namespace da::policy {

void WriteLock::unlock(Milliseconds for_how_long, std::uint32_t for_steps, const std::string& by) {
  const std::lock_guard hold(mutex_);
  opening_ = Opening{by, std::nullopt, {}, std::nullopt};
  if (for_steps > 0) opening_->steps_left = for_steps;
  if (for_how_long > Milliseconds::zero()) {
    opening_->until = clock_.now() + for_how_long;
    opening_->until_wall = clock_.wall_now() + for_how_long;
  }
  ++wakes_;
  changed_.notify_all();
}

WriteLock::TaskOpening WriteLock::unlock_for_task() const {
  const std::lock_guard hold(mutex_);
  TaskOpening opening;
  opening.after_ = locked_;
  return opening;
}

void WriteLock::lock(const std::string& by) {
  const std::lock_guard hold(mutex_);
  opening_.reset();
  ++locked_;
  locked_by_ = by;
}

bool WriteLock::is_open_for(const TaskOpening& task) const {
  const std::lock_guard hold(mutex_);
  return holds(task);
}

WriteLockView WriteLock::view(const TaskOpening& task) const {
  const std::lock_guard hold(mutex_);
  return is_open() || holds(task) ? WriteLockView::kOpen : WriteLockView::kClosed;
}

WriteLock::Use WriteLock::use(const TaskOpening& task) {
  const std::lock_guard hold(mutex_);
  if (holds(task)) return Use::kOpen;
  if (!is_open()) return Use::kClosed;
  if (!opening_->steps_left || --*opening_->steps_left > 0) return Use::kOpen;
  opening_.reset();
  locked_by_ = "the last of its steps";
  return Use::kLastStep;
}

v1::WriteLockState WriteLock::state() const {
  const std::lock_guard hold(mutex_);
  v1::WriteLockState state;
  state.set_open(is_open());
  state.set_by(is_open() ? opening_->by : opening_ ? "expiry" : locked_by_);
  if (is_open() && opening_->until) state.set_until_wall_ns(opening_->until_wall.time_since_epoch().count());
  if (is_open()) state.set_steps_left(opening_->steps_left.value_or(0));
  return state;
}

std::string WriteLock::describe() const {
  const std::lock_guard hold(mutex_);
  std::string text = "closed";
  if (is_open()) {
    text = "open " + (opening_->until ? "until " + format_wall(opening_->until_wall) : std::string("until locked"));
    if (opening_->steps_left) text += ", for " + std::to_string(*opening_->steps_left) + " more step(s)";
    text += ", by " + escape_foreign(opening_->by, 60);
  }
  return text;
}

bool WriteLock::wait_until_run_out(std::stop_token stop) {
  std::unique_lock hold(mutex_);
  while (!stop.stop_requested()) {
    if (has_run_out()) {
      opening_.reset();
      locked_by_ = "expiry";
      return true;
    }
    const auto woken = [this, seen = wakes_] { return wakes_ != seen; };
    if (opening_ && opening_->until) {
      changed_.wait_for(hold, stop, *opening_->until - clock_.now(), woken);
    } else {
      changed_.wait(hold, stop, woken);
    }
  }
  return false;
}

void WriteLock::wake() {
  const std::lock_guard hold(mutex_);
  ++wakes_;
  changed_.notify_all();
}

}  // namespace da::policy
