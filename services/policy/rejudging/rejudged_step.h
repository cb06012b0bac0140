// A recorded step and its verdicts: as recorded, and under other rules. Plain data.
#pragma once

#include <functional>
#include <string>

#include "lib/base/clock.h"
#include "services/policy/judgement/judge.h"

namespace da::policy {

// One side of the comparison.
struct StepVerdict {
  Judgement judgement;    // With DECISION_ASK, second_factor says whether an approval needs a code, for any reason.
  bool question = false;  // A person is asked. Not in a dry run, under a standing approval, or if it cannot be done.
};

struct RejudgedStep {
  std::string task_id;
  std::string step_id;
  WallTime time;            // Time of its first judgement.
  std::string action_text;  // The action in words; foreign text is escaped.
  bool edited = false;      // A person changed the action.
  bool dry_run = false;
  bool second_factor_enrolled = false;  // Somebody is enrolled.
  StepVerdict recorded;                 // Its reason is not recorded.
  StepVerdict now;                      // Under the other rules.
  // False if it was judged without the evidence that the other rules need: the rule file was broken at that time.
  bool comparable = true;
};

using TakeStep = std::function<void(const RejudgedStep& step)>;

}  // namespace da::policy
