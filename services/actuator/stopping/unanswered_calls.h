// Counts the calls whose answer has not been sent yet, so that the process can end as soon as the last one has left.
// Any thread.
#pragma once

#include <condition_variable>
#include <mutex>

#include "lib/base/clock.h"

namespace da::actuator {

class UnansweredCalls {
 public:
  // One call, from its request until its answer has been handed to the system's network.
  class Call {
   public:
    explicit Call(UnansweredCalls& calls) : calls_(calls) { calls_.count(1); }
    ~Call() { calls_.count(-1); }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    UnansweredCalls& calls_;
  };

  // Returns when there is none, or after `timeout`.
  void await_none(Milliseconds timeout) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, timeout, [this] { return number_ == 0; });
  }

 private:
  void count(int change) {
    const std::lock_guard lock(mutex_);
    number_ += change;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  int number_ = 0;
};

}  // namespace da::actuator
