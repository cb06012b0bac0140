// The open tasks. Only the owner of a task's token can submit steps for it.
// Also remembers the outcome of each granted step, so that a step acts at most once however often it is submitted.
// Any thread.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "da/v1/actuator_rpc.pb.h"
#include "da/v1/outcome.pb.h"
#include "da/v1/plan.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/policy/task/task_limits.h"

namespace da::policy {

struct Task {
  std::string task_id;
  std::string goal;
  std::string opened_by;
  Milliseconds approval_expiry{};
  std::string planner;                  // The owner of the token.
  std::set<std::string> allowed_tools;  // Empty: all.
  bool dry_run = false;                 // Its steps are only judged.
};

class Tasks {
 public:
  struct Opened {
    Task task;
    std::string token;  // 32 random bytes, hexadecimal. Secret.
  };
  // Assigns the task id.
  Opened open(Task task, const Limits& limits, MonoTime now);

  // kUnauthenticated if no open task has this token. Compares in constant time.
  Result<Task> find(const std::string& token) const;
  // Returns the closed task. kUnauthenticated as above.
  Result<Task> close(const std::string& token);
  // For people, who need no token. False if no such task is open.
  bool close_by_id(const std::string& task_id);
  std::size_t count() const;
  // For the actuator: the open tasks that have time left.
  v1::HeartbeatRequest heartbeat(MonoTime now) const;

  // Counts a submission. kFailedPrecondition if the task has been closed.
  Result<TaskUse::Admission> count_submission(const std::string& task_id, MonoTime now);

  // The task's remaining time; zero if it is closed.
  Milliseconds time_left(const std::string& task_id, MonoTime now) const;

  // Claims a step before it acts. nullopt: it may act now, and is counted. An outcome: it has acted, with this result.
  // kAborted: it is acting now. kFailedPrecondition: the id was used for another action, or the task is closed.
  // kResourceExhausted: the task has reached a limit.
  Result<std::optional<v1::Outcome>> claim(const std::string& task_id, const v1::Step& step,
                                           const std::string& action_digest, MonoTime now);
  // The same answer without a claim.
  Result<std::optional<v1::Outcome>> recall(const std::string& task_id, const std::string& step_id,
                                            const std::string& action_digest) const;
  // Ends the claim. A refused step did not begin, so it may be submitted again.
  void settle(const std::string& task_id, const std::string& step_id, const v1::Outcome& outcome);

 private:
  struct Granted {
    std::string action_digest;
    std::optional<v1::Outcome> outcome;  // Unset while it acts.
  };
  struct Entry {
    Task task;
    std::string token;
    std::string observation_digest;
    TaskUse use;
    std::map<std::string, Granted> granted;  // By step id.
  };
  static Result<std::optional<v1::Outcome>> recorded(const Entry& entry, const std::string& step_id,
                                                     const std::string& action_digest);
  std::map<std::string, Entry>::const_iterator entry_of(const std::string& token) const;

  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;  // By task id.
};

}  // namespace da::policy
