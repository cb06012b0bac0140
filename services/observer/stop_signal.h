// Wakes whoever waits when the service is told to stop. Any thread.
#pragma once

#include <condition_variable>
#include <mutex>

#include "lib/base/clock.h"

namespace da::observer {

class StopSignal {
 public:
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
  }
  bool stopped() const {
    const std::lock_guard lock(mutex_);
    return stopped_;
  }
  // True where the service was told to stop before the time was over.
  bool wait_for(Nanoseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [&] { return stopped_; });
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool stopped_ = false;
};

}  // namespace da::observer
