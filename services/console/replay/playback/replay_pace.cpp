#include "services/console/replay/playback/replay_pace.h"

#include <thread>

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
}

void ReplayPace::set_speed(double speed) {
  const std::lock_guard hold(mutex_);
  recorded_ = now_locked();
  since_ = system_clock().now();
  speed_ = speed;
}

double ReplayPace::speed() const {
  const std::lock_guard hold(mutex_);
  return speed_;
}

void ReplayPace::pause() {
  const std::lock_guard hold(mutex_);
  recorded_ = now_locked();
  paused_ = true;
}

bool ReplayPace::is_paused() const {
  const std::lock_guard hold(mutex_);
  return paused_;
}

void ReplayPace::resume() {
  const std::lock_guard hold(mutex_);
  since_ = system_clock().now();
  paused_ = false;
}

MonoTime ReplayPace::due(WallTime recorded) const {
  const std::lock_guard hold(mutex_);
  if (paused_) return MonoTime::max();
  if (speed_ == 0) return since_;
  const std::chrono::duration<double, std::nano> left = (recorded - recorded_) / speed_;
  return since_ + std::chrono::duration_cast<Nanoseconds>(left);
}

void ReplayPace::wait_for(WallTime recorded) const { std::this_thread::sleep_until(due(recorded)); }

}  // namespace da::console
