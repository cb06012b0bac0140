#include "services/console/report/story_text.h"

#include <algorithm>
#include <cstdio>

#include "da/v1/task.pb.h"
#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/describe.h"
#include "lib/contract/named_action.h"
#include "lib/recording/reading/recording_reader.h"
#include "services/console/recordings/summary_text.h"
#include "services/console/terminal/stream/enum_words.h"

namespace da::console {
namespace {

constexpr std::size_t kShownOfReason = 500;  // Characters.

std::string foreign_in_parentheses(const std::string& text) {
  return text.empty() ? "" : " (" + escape_foreign(text, kShownOfReason) + ")";
}

std::string counted(std::uint64_t count, const char* what) { return std::to_string(count) + " " + what; }

}  // namespace

std::string duration_words(Nanoseconds duration) {
  const double seconds = std::chrono::duration<double>(duration).count();
  if (seconds >= 10) return duration_text(seconds);
  char text[48];
  std::snprintf(text, sizeof text, "%.3f s", seconds);
  return text;
}

std::string time_words(WallTime time) {
  if (time == WallTime{}) return "unknown";
  const std::string text = format_wall(time);
  return text.substr(0, 10) + " " + text.substr(11, 8) + " UTC";
}

std::string result_words(const TaskStory& story) {
  const std::string known = recording::RecordingReader::value(story.end, "result");
  const std::string result = story.result ? v1::TaskEnd_Name(story.result->end()) : known;
  return result.empty() ? "not known" : escape_foreign(enum_words(result, "TASK_END_"), 40);
}

std::string action_words(const StoryStep& step) {
  if (!step.judgements.empty()) {
    const v1::StepJudged& judged = step.judgements.back();
    if (contract::tool_of(judged.step().action()) != nullptr) {
      return contract::describe(judged.step().action(), judged.evidence());
    }
  }
  if (contract::tool_of(step.step.action()) != nullptr) return contract::describe(step.step);
  if (step.verdict && !step.verdict->action_text().empty()) return escape_foreign(step.verdict->action_text());
  return "an action that the recording does not hold";
}

StepStatus step_status(const StoryStep& step) {
  if (step.outcomes.empty()) {
    if (step.answer) return step.answer->ok() ? StepStatus::kDone : StepStatus::kFailed;
    if (!step.verdict) return StepStatus::kOpen;
    if (step.verdict->decision() == v1::Verdict::DECISION_DENY) return StepStatus::kDenied;
    return step.verdict->dry_run() ? StepStatus::kJudged : StepStatus::kOpen;
  }
  const v1::Outcome& last = step.outcomes.back().outcome;
  switch (last.code()) {
    case v1::Outcome::CODE_DENIED:
    case v1::Outcome::CODE_EXPIRED:
    case v1::Outcome::CODE_SKIPPED:
    case v1::Outcome::CODE_LIMIT: return StepStatus::kDenied;
    default: break;
  }
  switch (last.kind()) {
    case v1::Outcome::KIND_CONFIRMED: return StepStatus::kDone;
    // The planner proves a launch by its window, which no outcome tells.
    case v1::Outcome::KIND_DISPATCHED: return last.tool() == "launch" ? StepStatus::kDone : StepStatus::kUnproven;
    case v1::Outcome::KIND_REFUSED: return StepStatus::kRefused;
    case v1::Outcome::KIND_NO_EFFECT: return StepStatus::kNoEffect;
    case v1::Outcome::KIND_INTERRUPTED:
    case v1::Outcome::KIND_FAILED: return StepStatus::kFailed;
    default: return StepStatus::kUnknown;
  }
}

std::string status_words(StepStatus status) {
  switch (status) {
    case StepStatus::kDone: return "carried out";
    case StepStatus::kUnproven: return "not proven";
    case StepStatus::kNoEffect: return "no effect";
    case StepStatus::kJudged: return "judged only";
    case StepStatus::kDenied: return "denied";
    case StepStatus::kRefused: return "not begun";
    case StepStatus::kFailed: return "failed";
    case StepStatus::kUnknown: return "outcome unknown";
    case StepStatus::kOpen: return "no outcome";
  }
  return {};
}

std::string counts_words(const TaskStory& story) {
  const auto has = [&](std::initializer_list<StepStatus> wanted) {
    return static_cast<std::uint64_t>(std::ranges::count_if(story.steps, [&](const StoryStep& step) {
      return std::ranges::find(wanted, step_status(step)) != wanted.end();
    }));
  };
  const std::uint64_t unproven = has({StepStatus::kUnproven});
  const std::uint64_t without_effect = has({StepStatus::kNoEffect});
  const std::uint64_t failed =
      story.failures + has({StepStatus::kDenied, StepStatus::kRefused, StepStatus::kFailed, StepStatus::kUnknown});
  std::string text = counted(story.steps.size(), "proposed");
  if (story.result) text += ", " + counted(story.result->steps(), "carried out");
  if (unproven > 0) text += ", " + counted(unproven, "of these not proven");
  if (without_effect > 0) text += ", " + counted(without_effect, "of these without effect");
  if (failed > 0) text += ", " + counted(failed, "failed or not begun");
  return text;
}

std::string verdict_words(const StoryStep& step) {
  const auto words = [](v1::Verdict::Decision decision, const std::string& rule, const std::string& reason) {
    return enum_words(v1::Verdict::Decision_Name(decision), "DECISION_") + ", rule " + escape_foreign(rule, 80) +
           (reason.empty() ? "" : ": " + escape_foreign(reason, kShownOfReason));
  };
  if (step.verdict) return words(step.verdict->decision(), step.verdict->rule(), step.verdict->reason());
  if (step.judgements.empty()) return {};
  const v1::StepJudged& judged = step.judgements.back();
  return words(judged.decision(), judged.rule(), {});
}

std::string risk_words(const StoryStep& step) {
  if (step.verdict) return std::string(contract::risk_name(step.verdict->risk()));
  return step.judgements.empty() ? "" : std::string(contract::risk_name(step.judgements.back().risk()));
}

std::string asked_words(const StoryApproval& approval) {
  if (!approval.request || approval.request->rule().empty()) return {};
  const std::string& reason = approval.request->reason();
  return "rule " + escape_foreign(approval.request->rule(), 80) +
         (reason.empty() ? "" : ": " + escape_foreign(reason, kShownOfReason));
}

std::string answer_words(const StoryApproval& approval) {
  if (!approval.decision) {
    return (approval.request ? escape_foreign(approval.request->approval_id(), 40) + " " : "") +
           "has no recorded answer";
  }
  const v1::ApprovalDecision& decision = *approval.decision;
  std::string text = escape_foreign(decision.approval_id(), 40) + " " +
                     enum_words(v1::ApprovalDecision::Answer_Name(decision.answer()), "ANSWER_");
  if (!decision.approver().empty()) text += " by " + escape_foreign(decision.approver(), 200);
  if (approval.asked != WallTime{}) text += " after " + duration_words(approval.answered - approval.asked);
  text += foreign_in_parentheses(decision.reason());
  const bool approved = decision.answer() == v1::ApprovalDecision::ANSWER_APPROVED;
  if (approved && approval.request && approval.request->second_factor()) text += ", with a one-time code";
  if (decision.repeats_in_task()) text += ", also for the same step later in the task";
  if (decision.stops_task()) text += ", and nothing more is granted to the task";
  if (decision.has_action()) text += ", changed to " + contract::describe(decision.action());
  return text;
}

std::string outcome_words(const v1::Outcome& outcome) {
  std::string text = enum_words(v1::Outcome::Kind_Name(outcome.kind()), "KIND_");
  if (outcome.code() != v1::Outcome::CODE_UNSPECIFIED) {
    text += ", " + enum_words(v1::Outcome::Code_Name(outcome.code()), "CODE_");
  }
  if (outcome.total() > 1) text += " " + std::to_string(outcome.done()) + "/" + std::to_string(outcome.total());
  return text + foreign_in_parentheses(outcome.message());
}

std::string outcome_words(const StoryStep& step) {
  if (!step.outcomes.empty()) return outcome_words(step.outcomes.back().outcome);
  if (!step.answer) return {};
  return std::string(step.answer->ok() ? "done" : "failed") + foreign_in_parentheses(step.answer->message());
}

ModelTotals model_totals(const TaskStory& story) {
  ModelTotals totals;
  for (const StoryCall& call : story.calls) {
    totals.input_tokens += call.call.usage().input_tokens();
    totals.output_tokens += call.call.usage().output_tokens();
    totals.cost += call.call.cost();
  }
  return totals;
}

std::string totals_words(const TaskStory& story) {
  if (story.calls.empty()) return {};
  const ModelTotals totals = model_totals(story);
  char cost[64] = "";
  if (totals.cost > 0) std::snprintf(cost, sizeof cost, ", cost %.4f", totals.cost);
  return counted(story.calls.size(), story.calls.size() == 1 ? "call, " : "calls, ") +
         std::to_string(totals.input_tokens) + " + " + std::to_string(totals.output_tokens) + " tokens" + cost;
}

std::string approvals_words(const ApprovalCounts& counts) {
  if (counts.asked == 0) return "none asked";
  std::string answers;
  const auto add = [&](std::uint64_t count, const char* what) {
    if (count > 0) answers += (answers.empty() ? ": " : ", ") + counted(count, what);
  };
  add(counts.approved, "approved");
  add(counts.denied, "denied");
  add(counts.expired, "expired");
  add(counts.withdrawn, "withdrawn");
  add(counts.edited, "edited");
  return counted(counts.asked, "asked") + answers;
}

std::string completeness_words(const TaskStory& story) {
  std::string text;
  const auto add = [&](const std::string& problem) { text += (text.empty() ? "" : "; ") + problem; };
  if (!story.problem.empty()) add(escape_foreign(story.problem, kShownOfReason));
  if (story.lost > 0) add(counted(story.lost, "facts were lost before they were recorded"));
  if (story.left_out > 0) add(counted(story.left_out, "facts are left out here: the recording is too large"));
  if (const auto cut = recording::RecordingReader::value(story.end, "cut"); !cut.empty()) {
    add("it ends before the task did: " + escape_foreign(cut, kShownOfReason));
  }
  return text.empty() ? "complete" : text;
}

}  // namespace da::console
