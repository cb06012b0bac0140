#include "services/console/replay/playback/replay_pace.h"

namespace da::console {

WallTime ReplayPace::now_locked() const {
  if (paused_ || speed_ == 0) return recorded_;
  const std::chrono::duration<double, std::nano> passed = (system_clock().now() - since_) * speed_;
  return recorded_ + std::chrono::duration_cast<Nanoseconds>(passed);
}

WallTime ReplayPace::now() const {
  const std::lock_guard hold(mutex_);
  return now_locked();
}

void ReplayPace::begin_at(WallTime recorded) {
  const std::lock_guard hold(mutex_);
  recorded_ = recorded;
  since_ = system_clock().now();
  paused_ = false;
  changed_.notify_all();
}

void ReplayPace::set_speed(double speed) {
  const std::lock_guard hold(mutex_);
  recorded_ = now_locked();
  since_ = system_clock().now();
  speed_ = speed;
  changed_.notify_all();
}

double ReplayPace::speed() const {
  const std::lock_guard hold(mutex_);
  return speed_;
}

void ReplayPace::pause() {
  const std::lock_guard hold(mutex_);
  recorded_ = now_locked();
  paused_ = true;
  changed_.notify_all();
}

bool ReplayPace::is_paused() const {
  const std::lock_guard hold(mutex_);
  return paused_;
}

void ReplayPace::resume() {
  const std::lock_guard hold(mutex_);
  since_ = system_clock().now();
  paused_ = false;
  changed_.notify_all();
}

MonoTime ReplayPace::due_locked(WallTime recorded) const {
  if (paused_) return MonoTime::max();
  if (speed_ == 0) return since_;
  const std::chrono::duration<double, std::nano> left = (recorded - recorded_) / speed_;
  return since_ + std::chrono::duration_cast<Nanoseconds>(left);
}

MonoTime ReplayPace::due(WallTime recorded) const {
  const std::lock_guard hold(mutex_);
  return due_locked(recorded);
}

void ReplayPace::wait_for(WallTime recorded) const {
  std::unique_lock hold(mutex_);
  while (!ended_) {
    const MonoTime due = due_locked(recorded);
    if (due <= system_clock().now()) return;
    if (due == MonoTime::max()) {
      changed_.wait(hold);
    } else {
      changed_.wait_until(hold, due);
    }
  }
}

void ReplayPace::end() {
  {
    const std::lock_guard hold(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
}

}  // namespace da::console
