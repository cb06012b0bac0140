// Rebuilds the typing history of one recorded task from its grants and outcomes. Single-threaded.
//
// The policy adds a step to the history after its outcome, and before it judges the task's next step. The recorder may
// get the outcome later than that judgement, because another service publishes it: so a granted step is added when the
// history is asked for.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>

#include "da/v1/history.pb.h"
#include "services/policy/judgement/typing_history.h"

namespace da::policy {

// The actuator's outcomes that no step has used yet, of all tasks. Forgets the oldest ones.
class RecordedOutcomes {
 public:
  void add(const v1::Outcome& outcome);
  // nullopt if it is not there.
  std::optional<v1::Outcome> take(const std::string& grant_id);

 private:
  std::map<std::string, v1::Outcome> by_grant_;
  std::deque<std::string> order_;
};

class RecordedTyping {
 public:
  // `outcomes` must outlive it.
  explicit RecordedTyping(RecordedOutcomes& outcomes) : outcomes_(outcomes) {}

  // Call these in the order of the facts.
  void allowed(const v1::StepJudged& judged);  // The step may act now.
  void granted(const v1::GrantIssued& grant);
  void ended(const v1::PolicyOutcome& outcome);  // The policy knows better than the actuator how the step ended.

  // With all steps that were granted so far.
  EarlierTyping before(const v1::Evidence& evidence);

 private:
  void settle();

  RecordedOutcomes& outcomes_;
  TypingHistory typed_;
  // The step that acts; the task's steps act one after the other.
  std::optional<v1::StepJudged> step_;
  std::string grant_id_;  // Empty: not granted yet.
  std::optional<v1::Outcome> outcome_;
};

}  // namespace da::policy
