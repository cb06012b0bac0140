// Judges the steps of one recording again: under other rules, and under its own ones to prove that the recording has
// all that the policy judged by. Rebuilds each task's typing, repetitions and standing approvals from the recorded
// facts (rejudged_task.h). What follows from a changed verdict is not simulated: all later steps are judged as they
// were submitted. Single-threaded.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>

#include "lib/recording/reading/recording_reader.h"
#include "services/policy/rejudging/rejudged_task.h"

namespace da::policy {

// Whether the recording's own rules give the recorded judgements again.
struct Reproduction {
  std::uint64_t judgements = 0;
  std::uint64_t different = 0;
  std::uint64_t without_rules = 0;  // Their rule file is not in the recording.
  std::uint64_t without_task = 0;   // Not judged again: the recording began after their task.
  std::uint64_t lost = 0;           // Facts that would be needed and are marked as lost.
  std::string first_difference;     // Shown to people; foreign text is escaped. Empty if there is none.
  bool complete() const { return different == 0 && without_rules == 0 && without_task == 0 && lost == 0; }
};

class Rejudging {
 public:
  // Steps come in the order in which they ended. `rules` must outlive it.
  Rejudging(const Rules& rules, TakeStep take) : rules_(rules), take_(std::move(take)) {}
  Rejudging(const Rejudging&) = delete;
  Rejudging& operator=(const Rejudging&) = delete;

  // Of a damaged recording, judges the steps before the damage, and returns kDataLoss.
  Result<void> read(const recording::RecordingReader& recording);

  const Reproduction& reproduction() const { return reproduction_; }
  // Verdicts that the rules have no part in: halts, limits, steps that had been carried out already.
  std::uint64_t verdicts_without_judgement() const { return verdicts_without_judgement_; }

 private:
  using Fact = recording::RecordingReader::Fact;

  Result<void> add(const Fact& fact);
  void open(const v1::TaskOpened& opened);
  void follow(RejudgedTask& task, const Fact& fact);
  Result<void> count_lost(const recording::RecordingReader& recording);
  void judged(const v1::StepJudged& fact);
  void learn_rules(const v1::RuleFile& file);
  // nullptr if they are not in the recording.
  const Rules* own_rules(const std::string& version) const;
  void compare(const v1::StepJudged& recorded, const Judgement& again);

  const Rules& rules_;
  const TakeStep take_;
  std::deque<Rules> own_rules_;  // The newest ones.
  std::string rules_problem_;    // RuleBook::problem() at the time of the fact.
  RecordedOutcomes outcomes_;
  std::map<std::string, std::unique_ptr<RejudgedTask>> tasks_;
  std::deque<std::string> forgettable_;  // Ids of the tasks, first the ones to forget first.
  Reproduction reproduction_;
  std::uint64_t verdicts_without_judgement_ = 0;
};

}  // namespace da::policy
