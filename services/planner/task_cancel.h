// Stops one task from another thread: looks in flight end with kCancelled, and a pause is woken. A cancel also ends a
// step that was submitted; a halt leaves that to the policy, which stops it and says how far it came.
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
  void halt(std::string reason);
  bool cancelled() const;  // Or halted.
  bool halted() const;
  std::string reason() const;

  // For the calls that the task makes: looks, and submitted steps.
  rpc::Canceller& looks() { return looks_; }
  rpc::Canceller& submits() { return submits_; }

  enum class Pause { kOver, kCancelled };
  // Does nothing until that time of the clock, or until it is cancelled.
  Pause pause_until(const Clock& clock, MonoTime until);

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool cancelled_ = false;
  bool halted_ = false;
  std::string reason_;
  rpc::Canceller looks_;
  rpc::Canceller submits_;
};

}  // namespace da::planner
