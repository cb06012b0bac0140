// The tasks that are open. Whoever holds a task's token may submit steps for it; nobody else can.
// Also remembers what became of each granted step, so that a step acts at most once however often it is submitted.
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
#include "services/policy/task_limits.h"

namespace da::policy {

struct Task {
  std::string task_id;
  std::string goal;
  std::string opened_by;
  Milliseconds approval_expiry{};
  std::string planner;                  // Whom the token is for.
  std::set<std::string> allowed_tools;  // Empty: all.
  bool dry_run = false;                 // Its steps are judged, and nothing follows.
};

class Tasks {
 public:
  struct Opened {
    Task task;
    std::string token;  // 32 random bytes, hexadecimal. Secret.
  };
  // Gives the task its id.
  Opened open(Task task, const Limits& limits, MonoTime now);

  // kUnauthenticated where no open task has this token. Compares in constant time.
  Result<Task> find(const std::string& token) const;
  // The task that was closed. kUnauthenticated as above.
  Result<Task> close(const std::string& token);
  // As a person does who needs no token. False where it is closed already.
  bool close_by_id(const std::string& task_id);
  std::size_t count() const;
  // For the actuator: those that have time left.
  v1::HeartbeatRequest tell_open(MonoTime now) const;

  // Counts a submission of the task. kFailedPrecondition where it was closed meanwhile.
  Result<TaskUse::Admission> count_submission(const std::string& task_id, MonoTime now);

  // How much of its time the task has left; nothing where it is closed.
  Milliseconds time_left(const std::string& task_id, MonoTime now) const;

  // Claims a step before it acts. nullopt: it may act now, and has been counted. An outcome: it did already, with this
  // result. kAborted: it is acting right now. kFailedPrecondition: another action under the same id, or the task is
  // closed. kResourceExhausted: the task has used up what it may.
  Result<std::optional<v1::Outcome>> claim(const std::string& task_id, const v1::Step& step,
                                           const std::string& action_digest, MonoTime now);
  // The same answer without claiming it.
  Result<std::optional<v1::Outcome>> recall(const std::string& task_id, const std::string& step_id,
                                            const std::string& action_digest) const;
  // Ends the claim. A refused step did not begin, and may be submitted again.
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
  static Result<std::optional<v1::Outcome>> told(const Entry& entry, const std::string& step_id,
                                                 const std::string& action_digest);
  std::map<std::string, Entry>::const_iterator entry_of(const std::string& token) const;

  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;  // By task id.
};

}  // namespace da::policy
