// The write lock: while it is closed, every write asks. Closed at start; opened by a person for a while, for a number
// of steps, until locked again, or for one task. Critical steps ask whether it is open or not (judge.h). Expiry is by
// the clock that it is given. Any thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "da/v1/verdict.pb.h"
#include "lib/base/clock.h"
#include "services/policy/circumstances.h"

namespace da::policy {

class WriteLock {
 public:
  explicit WriteLock(const Clock& clock) : clock_(clock) {}

  // Opens it for all tasks; zero: without that bound. Replaces an earlier opening, a longer one too.
  void unlock(Milliseconds for_how_long, std::uint32_t for_steps, const std::string& by);
  void unlock_for_task(const std::string& task_id, const std::string& by);
  // Closes it for all, tasks with their own opening included.
  void lock(const std::string& by);
  // True where it was open for this task.
  bool end_task(const std::string& task_id);

  WriteLockView view(const std::string& task_id) const;

  enum class Use { kClosed, kOpen, kLastStep };
  // Takes one step from the opening, just before a write acts that nobody was asked about. kClosed: it may not act.
  // kLastStep: it may, and the lock has closed behind it. A task that has an opening of its own takes from none.
  Use use(const std::string& task_id);
  // Of the opening for all tasks; the header is not set.
  v1::WriteLockState state() const;
  // "closed", "open until ... by ...", "open for 2 tasks": for people.
  std::string describe() const;

  // Blocks until an opening for a while has run out, and closes it: true. False once stopped.
  bool wait_until_run_out(std::stop_token stop);
  // Makes waiters look at the clock again; a clock that a test advances does not wake anyone.
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

  const Clock& clock_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::uint64_t wakes_ = 0;  // Counts wake(), so that none is lost between two waits.
  std::optional<Opening> opening_;
  std::string locked_by_ = "start";
  std::map<std::string, std::string> tasks_;  // Task id -> who opened it for the task.
};

}  // namespace da::policy
