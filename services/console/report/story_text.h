// The parts of a task's story in words, for terminal and report alike. Pure; any thread. All foreign text is escaped
// for a terminal; HTML needs its own escaping on top.
#pragma once

#include <string>

#include "services/console/report/task_story.h"

namespace da::console {

// "0.354 s"; from 10 s on as duration_text().
std::string duration_words(Nanoseconds duration);

// "2026-11-25 02:09:35 UTC"; "unknown" for no time.
std::string time_words(WallTime time);

// How the task ended: "done", "denied"; "not known" if the recording has no end.
std::string result_words(const TaskStory& story);

// The action in words, with the names of the evidence if the policy had some.
std::string action_words(const StoryStep& step);

enum class StepStatus {
  kDone,      // Carried out.
  kUnproven,  // Carried out, but its effect was not observed.
  kNoEffect,  // Carried out, but what it was to change is as before.
  kJudged,    // A dry run.
  kDenied,    // By a rule or a person, or nobody answered.
  kRefused,   // For another reason, such as a target that had changed, or the end of the task.
  kFailed,    // Failed or interrupted.
  kUnknown,   // Nobody knows whether it happened.
  kOpen,      // The recording has no outcome.
};
StepStatus step_status(const StoryStep& step);
std::string status_words(StepStatus status);
// "4 proposed, 3 carried out, 2 proven, 1 failed": the steps, and the parts of the goal that failed without one.
std::string counts_words(const TaskStory& story);

// "ask, rule critical: it destroys something"; empty if it was not judged.
std::string verdict_words(const StoryStep& step);
// "safe", "write" or "critical"; empty if it was not judged.
std::string risk_words(const StoryStep& step);

// Why a person was asked: "rule write-lock: it writes, and the write lock is closed"; empty if that is not known.
std::string asked_words(const StoryApproval& approval);
// `k7m2p approved by ada@console after 12.3 s (looks right), also for the same step later`
std::string answer_words(const StoryApproval& approval);

// "dispatched 5/5 (process 17)"
std::string outcome_words(const v1::Outcome& outcome);
// The last outcome or the planner's answer; empty if there is none.
std::string outcome_words(const StoryStep& step);

struct ModelTotals {
  std::uint64_t input_tokens = 0;
  std::uint64_t output_tokens = 0;
  double cost = 0;  // Amount in the price table's currency.
};
ModelTotals model_totals(const TaskStory& story);
// "3 calls, 4100 + 310 tokens, cost 0.0120"; empty if no model was asked.
std::string totals_words(const TaskStory& story);

// "3 asked: 2 approved, 1 denied"; "none asked".
std::string approvals_words(const ApprovalCounts& counts);

// Whether facts are missing, and why; "complete" if none is.
std::string completeness_words(const TaskStory& story);

}  // namespace da::console
