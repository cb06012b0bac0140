// Proposes the steps of a plain goal, one sentence after the other, as the same Plan messages that a model would give.
//
// A sentence has one or more phases, each a plan of one step, so that the screen is looked at between any two steps.
// Named targets are resolved when their turn comes, and waited for (kTargetWait). Errors name the sentence, and what
// was missing or ambiguous. A block is left out where its condition is not met, and the rest of an optional one where a
// sentence of it fails; the justification of what comes next says so. One thread, the task's. The Sight must outlive
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "services/planner/plain/choice.h"
#include "services/planner/plain/goal.h"
#include "services/planner/plain/proposal.h"
#include "services/planner/proposer.h"
#include "services/planner/sight.h"

namespace da::planner::plain {

enum class Patience {
  kWait,  // Targets are waited for.
  kNow,   // For a dry run: what does not show now is proposed by its description where there is such a call, else
          // without one; the justification says so.
};

// How many decisions a goal may take at most, when each step may be tried this often.
std::uint32_t turn_bound(const Goal& goal, std::uint32_t tries_per_step);

// How many steps in a row the task machine must let fail (Limits::max_failures): the planner ends the task itself where
// a sentence that failed is not optional.
std::uint32_t failure_bound(const Goal& goal);

class PlainPlanner final : public Proposer {
 public:
  PlainPlanner(Goal goal, Sight& sight, Patience patience)
      : goal_(std::move(goal)), sight_(sight), patience_(patience) {}

  View wanted_view() const override;
  Result<v1::Plan> decide(const v1::Observation& latest, Attempt attempt) override;
  void hear(const v1::Step& step, const Event& event) override;
  void see(const v1::ImageFact&) override {}
  void resumed() override { resumed_ = true; }
  Result<void> verify(const v1::Step& step, EventKind outcome) override;
  bool awaits_target() const override { return awaits_target_; }
  Part part(Attempt attempt) const override;

 private:
  struct Propose;

  // What the sentence's current phase does; nullopt where it needs nothing.
  Proposed propose(const v1::Observation& latest);
  Proposed propose_now(const v1::Observation& latest);
  // Past the header, or past its block as well.
  Result<void> pass(const If& condition);
  void leave_out(const std::string& why);
  void remark(std::string text);
  std::size_t count_sentences(std::size_t first, std::size_t count) const;
  std::string conditions() const;
  std::string summary() const;
  Result<void> verify_effect(EventKind outcome);
  Error about_sentence(const Error& error) const;
  v1::Plan plan_of(Proposal proposal, const v1::Observation& latest);
  void advance(bool whole_sentence);
  const Sentence& sentence() const { return goal_[sentence_]; }
  Milliseconds target_wait() const;

  const Goal goal_;
  Sight& sight_;
  const Patience patience_;
  std::size_t sentence_ = 0;
  std::uint32_t phase_ = 0;
  bool proposed_ = false;  // The current phase was handed out.
  bool proposed_whole_ = false;
  bool awaits_target_ = false;
  bool resumed_ = false;               // Since the last decision.
  v1::UiNode field_;                   // That the sentence types into, as it was seen last.
  bool field_is_current_ = false;      // It was seen in this decision.
  std::size_t skipped_ = 0;            // Sentences that a person left out.
  std::size_t unmet_ = 0;              // Sentences whose condition was not met.
  std::size_t optional_failed_ = 0;    // Sentences of optional blocks that failed, and those behind them.
  std::optional<std::string> failed_;  // Why the last step failed.
  std::string remarks_;                // For the next justification.
  Choice choice_;                      // Of the current Select.
  v1::Observation before_;             // What the last proposal was decided on.
};

}  // namespace da::planner::plain
