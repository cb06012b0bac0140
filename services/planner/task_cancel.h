// Stops one task from another thread: calls in flight end with kCancelled, and a pause is woken.
// Any thread; outlives the task it belongs to.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>

#include "lib/base/clock.h"
#include "lib/rpc/cancel.h"

namespace da::planner {

class TaskCancel {
 public:
  // The first reason counts.
  void cancel(std::string reason);
  bool cancelled() const;
  std::string reason() const;

  // For the calls that the task makes.
  rpc::Canceller& calls() { return calls_; }

  enum class Pause { kOver, kCancelled };
  // Does nothing until that time of the clock, or until it is cancelled.
  Pause pause_until(const Clock& clock, MonoTime until);

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool cancelled_ = false;
  std::string reason_;
  rpc::Canceller calls_;
};

}  // namespace da::planner
