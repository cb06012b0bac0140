// Proposes the steps of a plain goal, one sentence after another, as the same Plan messages as a model's.
//
// Each plan has one step, that of the next phase of a sentence (SentenceSteps). Errors name the sentence and the
// missing or ambiguous target. A block is skipped if its condition is false, the rest of an optional block after a
// failed sentence; the next step's justification says so. Only the task's thread calls. The TaskView must outlive the
// planner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "services/planner/plain/language/goal.h"
#include "services/planner/plain/language/goal_values.h"
#include "services/planner/plain/sentence_steps.h"
#include "services/planner/proposer.h"
#include "services/planner/task/task_view.h"
#include "services/planner/tools/planner_tools.h"

namespace da::planner::plain {

class PlainPlanner final : public Proposer {
 public:
  PlainPlanner(Goal goal, TaskView& view, Patience patience)
      : goal_(std::move(goal)), view_(view), patience_(patience), steps_(view, patience) {
    go_to(0);
  }

  View wanted_view() const override;
  Result<v1::Plan> decide(const v1::Observation& latest, Attempt attempt) override;
  void hear(const v1::Step& step, const Event& event) override;
  void see(const Answer&) override {}
  void resumed() override { resumed_ = true; }
  Result<Proof> verify(const v1::Step& step, EventKind outcome) override;
  std::uint32_t parts_carried_out() const override;
  std::uint32_t take_left_out() override { return std::exchange(left_out_, 0); }
  bool awaits_target() const override { return awaits_target_; }
  Part part(Attempt attempt) const override;

 private:
  Result<bool> pass_without_step();
  // Checks the condition, and skips the header or the whole block.
  Result<void> pass(const If& condition);
  Result<void> pass(const While& loop);
  Result<void> pass(const WaitUntil& wait);
  Result<void> pass(const Copy& copy);
  Result<Answer> answer_condition(const Check& condition, Milliseconds wait);
  bool ends_loop_too_early(std::size_t sentence) const;
  Result<std::optional<v1::Candidate>> find_field_of_any_state(const std::string& target);
  Result<std::string> read_text(const std::string& target, Milliseconds wait);
  void go_to(std::size_t sentence);
  void skip_optional(const std::string& why);
  void remark(std::string text);
  std::size_t count_sentences(std::size_t first, std::size_t count) const;
  std::string conditions() const;
  std::string summary() const;
  Error about_sentence(const Error& error) const;
  // The step that brings the sentence's window to the front, because its target was not found or reached.
  v1::Plan raise(const std::string& title, const Error& why, const v1::Observation& latest);
  v1::Plan plan_of(Proposal proposal, const v1::Observation& latest);
  void advance(bool whole_sentence);
  const Sentence& sentence() const { return current_; }

  const Goal goal_;
  TaskView& view_;
  const Patience patience_;
  SentenceSteps steps_;
  Values values_;  // That were copied.
  std::size_t sentence_ = 0;
  Sentence current_;                             // goal_[sentence_] with the values.
  std::map<std::size_t, std::uint32_t> rounds_;  // Of each open loop, by its header.
  std::uint32_t phase_ = 0;
  bool proposed_ = false;  // The current phase was proposed.
  bool proposed_whole_ = false;
  bool awaits_target_ = false;
  bool raising_ = false;               // What was proposed brings the sentence's window to the front.
  bool raised_ = false;                // That was proposed for this sentence.
  bool resumed_ = false;               // The task was resumed since the last decision.
  std::uint32_t left_out_ = 0;         // Returned by take_left_out().
  std::uint32_t visits_ = 0;           // Of sentences, so that rounds of a loop differ.
  std::size_t skipped_ = 0;            // Sentences that a person skipped.
  std::size_t unmet_ = 0;              // Sentences whose condition was false.
  std::size_t optional_failed_ = 0;    // Failed optional sentences, and the rest of their blocks.
  std::optional<std::string> failed_;  // Why the last step failed.
  std::string remarks_;                // Added to the next justification.
};

}  // namespace da::planner::plain
