// The steps of one task: how many it may still submit and carry out, and the outcome of each granted step, so that a
// step acts at most once however often it is submitted. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "da/v1/outcome.pb.h"
#include "da/v1/plan.pb.h"
#include "da/v1/verdict.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/policy/task/task_limits.h"

namespace da::policy {

class TaskSteps {
 public:
  TaskSteps(const Limits& limits, MonoTime opened) : use_(limits, opened) {}

  // Counts a submission. kFailedPrecondition if the task has been closed; likewise claim() and recall().
  Result<TaskUse::Admission> count_submission(MonoTime now);
  // The task's remaining time; zero if it is closed.
  Milliseconds time_left(MonoTime now) const;

  // Claims a step before it acts. nullopt: it may act now, and is counted. An outcome: it has acted, with this result.
  // kAborted: it is acting now. kFailedPrecondition: the id was used for another action. kResourceExhausted: the task
  // has reached a limit.
  Result<std::optional<v1::Outcome>> claim(const v1::Step& step, const std::string& action_digest, MonoTime now);
  // The same answer without a claim.
  Result<std::optional<v1::Outcome>> recall(const std::string& step_id, const std::string& action_digest) const;
  // Ends the claim. A refused step did not begin, so it may be submitted again. `action_text`: the action in words;
  // foreign text is escaped.
  void settle(const std::string& step_id, const v1::Outcome& outcome, const std::string& action_text);

  // Sets unproven_steps and last_unproven of a question about the next step.
  void tell_unproven(v1::ApprovalRequest& question) const;

  // No step is claimed from now on.
  void close();

 private:
  struct Granted {
    std::string action_digest;
    std::optional<v1::Outcome> outcome;  // Unset while it acts.
  };
  // Call it with the mutex held.
  Result<std::optional<v1::Outcome>> recorded(const std::string& step_id, const std::string& action_digest) const;

  mutable std::mutex mutex_;
  bool closed_ = false;
  TaskUse use_;
  std::map<std::string, Granted> granted_;  // Keyed by step id.
  std::uint32_t unproven_ = 0;              // Steps that acted and whose effect was not observed.
  std::string last_unproven_;
};

}  // namespace da::policy
