// The commands of one task, on their way from the console's calls to the task's thread, and the answers on their way
// back. Holds one command at a time. While the task is paused, and after its end, it answers new commands itself.
// Cancels a paused task when there are no more commands.
//
//   auto reply = inbox.run(request, Milliseconds(1000));   // a thread of a call; blocks until the answer
//   auto command = inbox.next(cancel.work(), time_limit);  // the task's thread; blocks until a command
//   inbox.answer(answer);
//
// Any thread. Clock and cancel must outlive the object.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "da/v1/planner_rpc.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/planner/task/task_cancel.h"

namespace da::planner {

// The console is gone if it makes no call for this long. A call that waits for an answer counts.
inline constexpr Milliseconds kConsoleTimeout{30'000};

struct Command {
  std::string id;  // The script's own. Untrusted.
  v1::Action action;
};

class CommandInbox {
 public:
  CommandInbox(const Clock& clock, TaskCancel& cancel) : clock_(clock), cancel_(cancel), heard_(clock.now()) {}

  // Returns the command's answer, or `answered: false` after max_wait. kInvalidArgument: an invalid action, or a number
  // that is neither the current command's nor, once that is answered, the next.
  Result<v1::RunCommandReply> run(const v1::RunCommandRequest& request, Milliseconds max_wait);

  // The next command; nullopt if there are no more. kCancelled after a stop request, kFailedPrecondition at `until`,
  // kNotFound after kConsoleTimeout. Counts the console's silence only from the first call on.
  Result<std::optional<Command>> next(std::stop_token stop, MonoTime until);

  // Answers the command that next() returned. Has no effect if it was answered already.
  void answer(v1::CommandAnswer answer);

  // Until resume(), each new command gets this answer, and so does the command that next() has not returned yet.
  void pause(v1::CommandAnswer answer);
  void resume();

  // The task has ended: answers the open command with `open`, and every later one with `later`. The first call counts.
  void close(v1::CommandAnswer open, v1::CommandAnswer later);

 private:
  // Callers hold mutex_.
  Result<void> accept(const v1::RunCommandRequest& request);
  v1::RunCommandReply reply() const;
  bool console_is_gone() const;

  void end_if_paused();

  const Clock& clock_;
  TaskCancel& cancel_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  MonoTime heard_;                           // The last call of the console.
  int callers_ = 0;                          // Calls that wait for an answer.
  bool counts_silence_ = false;              // The task has begun.
  std::uint64_t number_ = 0;                 // Number of the current command; 0 before the first.
  std::optional<Command> waiting_;           // Not yet returned by next().
  bool ended_ = false;                       // There are no more commands.
  std::optional<v1::CommandAnswer> answer_;  // Unset until the current command is answered.
  std::optional<v1::CommandAnswer> paused_;
  std::optional<v1::CommandAnswer> closed_;
};

}  // namespace da::planner
