// The write lock: while it is closed, every write is asked about. It starts closed. A person opens it for a time, for a
// number of steps, until locked again, or for one task. Critical steps are asked about anyway (judge.h). Any thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "da/v1/verdict.pb.h"
#include "lib/base/clock.h"
#include "services/policy/judgement/subject.h"

namespace da::policy {

class WriteLock {
 public:
  explicit WriteLock(const Clock& clock) : clock_(clock) {}

  // Opens it for all tasks; zero means no limit. Replaces an earlier opening, even a longer one.
  void unlock(Milliseconds for_how_long, std::uint32_t for_steps, const std::string& by);
  // Opens it for one task, which keeps the opening.
  class TaskOpening {
    friend class WriteLock;
    std::optional<std::uint64_t> after_;  // The number of lock() calls before it; unset: there is no opening.
  };
  TaskOpening unlock_for_task() const;
  // Closes it for all tasks, also for tasks with an opening of their own.
  void lock(const std::string& by);
  bool is_open_for(const TaskOpening& task) const;

  WriteLockView view(const TaskOpening& task) const;

  enum class Use { kClosed, kOpen, kLastStep };
  // Call it just before an unasked write acts: takes one step from the opening, unless the task has an opening of its
  // own. kClosed: the write must not act. kLastStep: it may act, and the lock is closed now.
  Use use(const TaskOpening& task);
  // The opening for all tasks; the header is not set.
  v1::WriteLockState state() const;
  // Text for people: "closed", "open until ..., by ...".
  std::string describe() const;

  // Blocks until the time of an opening has run out, closes the lock and returns true. False if stopped.
  bool wait_until_run_out(std::stop_token stop);
  // Makes waiters read the clock again. Used by tests that advance it.
  void wake();

 private:
  struct Opening {
    std::string by;
    std::optional<MonoTime> until;
    WallTime until_wall{};
    std::optional<std::uint32_t> steps_left;
  };
  bool has_run_out() const { return opening_ && opening_->until && clock_.now() >= *opening_->until; }
  bool is_open() const { return opening_ && !has_run_out(); }
  bool holds(const TaskOpening& task) const { return task.after_ == locked_; }

  const Clock& clock_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::uint64_t wakes_ = 0;  // Counts wake(), so that no call is lost between two waits.
  std::optional<Opening> opening_;
  std::string locked_by_ = "start";
  std::uint64_t locked_ = 0;  // The number of lock() calls. Each ends the openings for single tasks before it.
};

}  // namespace da::policy
