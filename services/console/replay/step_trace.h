// The steps of one task with what followed, from the facts of a recording or of a live bus. Not thread-safe.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "da/v1/history.pb.h"
#include "da/v1/outcome.pb.h"
#include "da/v1/plan.pb.h"
#include "da/v1/task.pb.h"
#include "da/v1/verdict.pb.h"

namespace da::console {

// A proposed step and what followed.
struct TracedStep {
  v1::Step step;
  std::vector<v1::StepJudged> judged;  // Judged steps in order, each with its evidence at that time.
  std::optional<v1::Verdict> verdict;  // The last one: an ASK is followed by the final verdict.
  std::optional<v1::Outcome> outcome;
};

class StepTrace {
 public:
  // Fact: recording::RecordingReader::Fact or bus::Fact, of this task.
  template <class Fact>
  void add(const Fact& fact) {
    if (const auto* plan = fact.template as<v1::Plan>()) add_plan(*plan);
    if (const auto* judged = fact.template as<v1::StepJudged>()) {
      by_id_[judged->step().step_id()].judged.push_back(*judged);
    }
    if (const auto* verdict = fact.template as<v1::Verdict>()) {
      by_id_[verdict->step_id()].verdict = *verdict;
    }
    if (const auto* outcome = fact.template as<v1::Outcome>()) add_outcome(*outcome);
    if (const auto* outcome = fact.template as<v1::PolicyOutcome>()) add_outcome(outcome->outcome());
    if (const auto* state = fact.template as<v1::TaskStateChanged>()) {
      if (state->state() == v1::TASK_STATE_TERMINATED) end_reason_ = state->detail();
    }
    if (const auto* ended = fact.template as<v1::TaskEnded>()) result_ = ended->result();
  }

  // Returns the steps in the order of their plans. The pointers are valid until the next add().
  std::vector<const TracedStep*> steps() const;
  // Why the task ended, without the cost of models, which the result's summary has.
  const std::string& end_reason() const { return end_reason_; }
  const std::optional<v1::TaskResult>& result() const { return result_; }

 private:
  void add_plan(const v1::Plan& plan);
  void add_outcome(const v1::Outcome& outcome);

  // Also steps whose plan has not come yet: planner and policy publish on connections of their own.
  std::map<std::string, TracedStep> by_id_;
  std::vector<std::string> planned_;
  std::string end_reason_;
  std::optional<v1::TaskResult> result_;
};

}  // namespace da::console
