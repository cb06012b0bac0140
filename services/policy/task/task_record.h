// Everything that the policy knows about one open task. Tasks drops the record when the task ends, and with it all that
// the task has used, typed and been approved for; a step that still runs keeps it until it is done. Any thread.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "lib/base/clock.h"
#include "services/policy/approval/standing_approvals.h"
#include "services/policy/approval/write_lock.h"
#include "services/policy/judgement/repetitions.h"
#include "services/policy/judgement/rules.h"
#include "services/policy/judgement/typing_history.h"
#include "services/policy/task/task_serializer.h"
#include "services/policy/task/task_steps.h"

namespace da::policy {

// What a task was opened with.
struct TaskTerms {
  std::string task_id;
  std::string goal;
  std::string opened_by;
  Milliseconds approval_expiry{};
  std::string planner;                  // The owner of the token.
  std::set<std::string> allowed_tools;  // Empty: all.
  bool dry_run = false;                 // Its steps are only judged.
  Limits limits = {};
  WriteLock::TaskOpening write_lock = {};
  std::shared_ptr<const Rules> rules;  // Those in force then.
};

struct TaskRecord {
  TaskRecord(TaskTerms with, const Clock& clock)
      : terms(std::move(with)), steps(terms.limits, clock.now()), repetitions(clock) {}

  const TaskTerms terms;
  TaskSteps steps;
  TaskSerializer serializer;
  TypingHistory typing;
  Repetitions repetitions;
  StandingApprovals standing;
};

}  // namespace da::policy
