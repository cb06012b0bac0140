// Stops or holds one task from another thread: observer calls in flight end with kCancelled, and pause_until wakes.
// A cancel also ends the call of a submitted step. A halt or a hold does not: the policy stops the step and reports how
// far it came. The task itself releases a hold after the policy has resumed. Any thread. Must outlive its task.
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>

#include "lib/base/clock.h"

namespace da::planner {

class TaskCancel {
 public:
  // The first reason counts.
  void cancel(std::string reason);
  void halt(std::string reason);
  void hold(std::string reason);
  // Ends a hold. Only on the task's thread, while no observer call is in flight.
  void release();
  bool cancelled() const { return read(cancelled_); }  // True also after a halt.
  bool halted() const { return read(halted_); }
  bool held() const { return read(held_); }
  std::string reason() const { return read(reason_); }
  std::string hold_reason() const { return read(hold_reason_); }

  // Token for observer calls, model calls and other slow work: all three stop it. release() replaces the token, so get
  // a new one for each call.
  std::stop_token work() const;
  // Token for AwaitResume: a hold does not stop it.
  std::stop_token resumes() const { return resumes_.get_token(); }
  // Token for Submit: only a cancel stops it.
  std::stop_token submits() const { return submits_.get_token(); }

  enum class Pause { kOver, kCancelled };
  // Waits until `until`, or until the task is cancelled or held.
  Pause pause_until(const Clock& clock, MonoTime until);

 private:
  template <class Value>
  Value read(const Value& member) const {
    const std::lock_guard lock(mutex_);
    return member;
  }
  bool end(std::string reason, bool halted);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool cancelled_ = false;
  bool halted_ = false;
  std::string reason_;
  bool held_ = false;
  std::string hold_reason_;
  std::stop_source work_;
  std::stop_source resumes_;
  std::stop_source submits_;
};

}  // namespace da::planner
