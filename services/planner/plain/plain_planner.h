// Proposes the steps of a plain goal, one sentence after the other, as the same Plan messages that a model would give.
//
// A sentence has one or more phases, each a plan of one step, so that the screen is looked at between any two steps.
// Named targets are resolved when their turn comes, and waited for (kTargetWait). Errors name the sentence, and what
// was missing or ambiguous. One thread, the task's. The Sight must outlive it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "services/planner/plain/goal.h"
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

class PlainPlanner final : public Proposer {
 public:
  PlainPlanner(Goal goal, Sight& sight, Patience patience)
      : goal_(std::move(goal)), sight_(sight), patience_(patience) {}

  Result<v1::Plan> decide(const v1::Observation& latest, Attempt attempt) override;
  // What failed ends a plain goal; there is nobody to be told.
  void hear(const v1::Step&, const Event&) override {}
  void see(const v1::ImageFact&) override {}
  void resumed() override { resumed_ = true; }
  Result<void> verify(const v1::Step& step, EventKind outcome) override;
  bool awaits_target() const override { return awaits_target_; }

 private:
  struct Proposal {
    v1::Action action;
    std::string note;            // For people; may be empty.
    bool awaits_target = false;  // Then it stands for all phases of the sentence that are left.
  };
  struct Propose;

  // What the sentence's current phase does; nullopt where it needs nothing.
  Result<std::optional<Proposal>> propose(const v1::Observation& latest);
  Result<std::optional<Proposal>> propose_now(const v1::Observation& latest);
  Error about_sentence(const Error& error) const;
  v1::Plan plan_of(Proposal proposal, const v1::Observation& latest);
  void advance(bool whole_sentence);
  const Sentence& sentence() const { return goal_[sentence_]; }
  Milliseconds target_wait() const { return patience_ == Patience::kWait ? kTargetWait : Milliseconds(0); }

  const Goal goal_;
  Sight& sight_;
  const Patience patience_;
  std::size_t sentence_ = 0;
  std::uint32_t phase_ = 0;
  bool proposed_ = false;  // The current phase was handed out.
  bool proposed_whole_ = false;
  bool awaits_target_ = false;
  bool resumed_ = false;     // Since the last decision.
  std::size_t skipped_ = 0;  // Sentences that a person left out.
  v1::Observation before_;   // What the last proposal was decided on.
};

}  // namespace da::planner::plain
