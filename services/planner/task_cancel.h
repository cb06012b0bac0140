// Stops or holds one task from another thread: looks in flight end with kCancelled, and a pause is woken. A cancel also
// ends a step that was submitted; a halt leaves that to the policy, which stops it and says how far it came. So does a
// hold, which the task itself releases once the policy has resumed.
// Any thread; outlives the task it belongs to.
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>

#include "lib/base/clock.h"
#include "lib/rpc/cancel.h"

namespace da::planner {

class TaskCancel {
 public:
  // The first reason counts.
  void cancel(std::string reason);
  void halt(std::string reason);
  void hold(std::string reason);
  // Lets the task look again. The task's thread, while no look is in flight.
  void release();
  bool cancelled() const;  // Or halted.
  bool halted() const;
  bool held() const;
  std::string reason() const;
  std::string hold_reason() const;

  // For the calls that the task makes: looks, waiting for a resume (which a hold does not end), and submitted steps.
  rpc::Canceller& looks() { return looks_; }
  rpc::Canceller& resumes() { return resumes_; }
  rpc::Canceller& submits() { return submits_; }
  // For what else takes long, such as asking a model. Of the present: after a release, ask for it again.
  std::stop_token thinking() const;

  enum class Pause { kOver, kCancelled };
  // Does nothing until that time of the clock, or until it is cancelled or held.
  Pause pause_until(const Clock& clock, MonoTime until);

 private:
  void stop_thinking();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool cancelled_ = false;
  bool halted_ = false;
  std::string reason_;
  bool held_ = false;
  std::string hold_reason_;
  rpc::Canceller looks_;
  rpc::Canceller resumes_;
  rpc::Canceller submits_;
  std::stop_source thinking_;
};

}  // namespace da::planner
