// Rebuilds the typing history of one recorded task from its grants and outcomes. Single-threaded.
//
// The policy adds a step to the history after its outcome, and before it judges the task's next step. The recorder may
// get the outcome later than that judgement, because another service publishes it: so a granted step is added when the
// history is asked for.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "da/v1/history.pb.h"
#include "lib/base/result.h"
#include "services/policy/judgement/typing_history.h"

namespace da::policy {

// The actuator's outcomes of all tasks, by grant. Keeps only those of steps that were refused or carried out in part.
class RecordedOutcomes {
 public:
  // kResourceExhausted if there are very many.
  Result<void> add(const v1::Outcome& outcome);
  // nullopt: all of the action was carried out, or its outcome is lost.
  std::optional<v1::Outcome> of(const std::string& grant_id) const;

 private:
  std::map<std::string, v1::Outcome> by_grant_;
};

class RecordedTyping {
 public:
  // `outcomes` must outlive it.
  explicit RecordedTyping(const RecordedOutcomes& outcomes) : outcomes_(outcomes) {}

  // Call these in the order of the facts.
  void allowed(const v1::StepJudged& judged);  // The step may act now.
  void granted(const v1::GrantIssued& grant);
  void ended(const v1::PolicyOutcome& outcome);  // The policy knows better than the actuator how the step ended.

  // Includes all steps that were granted so far, unless they did not begin.
  EarlierTyping before(const v1::Evidence& evidence);

 private:
  void settle();

  const RecordedOutcomes& outcomes_;
  TypingHistory typed_;
  // The step that acts; the task's steps act one after the other.
  std::optional<v1::StepJudged> step_;
  std::string grant_id_;  // Empty: not granted yet.
  std::optional<v1::Outcome> outcome_;
};

}  // namespace da::policy
