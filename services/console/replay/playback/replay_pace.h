// The time of a replay: it passes as fast as in the recording, or `speed` times as fast. Pauses and jumps move what is
// still to come. Any thread.
#pragma once

#include <condition_variable>
#include <mutex>

#include "lib/base/clock.h"

namespace da::console {

class ReplayPace {
 public:
  // speed: 0 means that nothing is waited for.
  explicit ReplayPace(WallTime recorded_begin, double speed = 1) : speed_(speed), recorded_(recorded_begin) {}

  // Lets time pass, starting at `recorded`.
  void begin_at(WallTime recorded);
  void begin() { begin_at(now()); }
  void set_speed(double speed);
  double speed() const;
  void pause();
  bool is_paused() const;
  void resume();

  // The recorded time that it is now.
  WallTime now() const;
  // When this recorded time is reached; MonoTime::max() during a pause.
  MonoTime due(WallTime recorded) const;
  // Blocks until this recorded time is reached, or until end().
  void wait_for(WallTime recorded) const;
  // The replay is over: nobody waits any more.
  void end();

 private:
  WallTime now_locked() const;
  MonoTime due_locked(WallTime recorded) const;

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool ended_ = false;
  double speed_;
  bool paused_ = true;                     // Paused until begin().
  WallTime recorded_;                      // The recorded time
  MonoTime since_ = system_clock().now();  // at this time.
};

}  // namespace da::console
