#include "services/policy/rejudging/rejudged_task.h"

#include <algorithm>

#include "lib/base/text.h"
#include "lib/contract/named_action.h"

namespace da::policy {
namespace {

// A policy has at most some steps of a task between submission and verdict.
constexpr std::size_t kOpenSubmissions = 64;
constexpr std::size_t kMostHeldOfTask = 8 << 20;  // Bytes held for a task. Only a forged recording holds more.
constexpr std::size_t kActionTextCharacters = 1000;

// Mirrors Submission::needs_second_factor().
bool needs_code(const Judgement& judgement, bool enrolled) {
  return judgement.decision == v1::Verdict::DECISION_ASK &&
         (judgement.second_factor || (judgement.risk == v1::RISK_CRITICAL && enrolled));
}

// Mirrors Submission::follow_verdict().
bool may_use_standing(const Judgement& judgement, const v1::Step& step) {
  return judgement.risk != v1::RISK_CRITICAL && !judgement.second_factor && step.concerns().empty() &&
         judgement.rule != kLongNameRule;
}

// Whether the step becomes a question, given the question of its judgement before.
bool asks(bool asked_before, const Judgement& judgement, const v1::StepJudged& fact,
          const StandingApprovals& standing) {
  if (judgement.decision == v1::Verdict::DECISION_DENY || !fact.evidence().problem().empty()) return false;
  if (judgement.decision != v1::Verdict::DECISION_ASK) return asked_before;
  const v1::Step& step = fact.step();
  return !may_use_standing(judgement, step) ||
         !standing.approver_of(step.action(), fact.evidence(), judgement.rule).has_value();
}

Judgement recorded_judgement(const v1::StepJudged& fact) {
  Judgement judgement;
  judgement.decision = fact.decision();
  judgement.rule = fact.rule();
  judgement.risk = fact.risk();
  judgement.second_factor = fact.second_factor();
  return judgement;
}

void take_judgement(StepVerdict& verdict, Judgement judgement, bool enrolled) {
  judgement.second_factor = needs_code(judgement, enrolled);
  verdict.judgement = std::move(judgement);
}

}  // namespace

RejudgedTask::RejudgedTask(const v1::TaskOpened& opened, const Rules& rules, const RecordedOutcomes& outcomes,
                           const TakeStep& take)
    : rules_(rules),
      take_(take),
      planner_(opened.request().planner()),
      rule_file_(opened.state().rules_file()),
      allowed_tools_(opened.request().allowed_tools().begin(), opened.request().allowed_tools().end()),
      typing_(outcomes) {}

std::optional<Judgement> RejudgedTask::judged(const v1::StepJudged& fact, const Rules* own,
                                              const std::string& rules_problem) {
  count();
  clock_.set(MonoTime(Nanoseconds(fact.header().monotonic_ns())));
  Submission& submission = submission_of(fact);
  const Circumstances now = circumstances(fact);
  std::optional<Judgement> again;
  if (own != nullptr) {
    again = judge_by(own_, *own, submission, fact, now);
    if (!rules_problem.empty()) {
      again->decision = v1::Verdict::DECISION_DENY;
      again->rule = kUnreadRule;
    }
  }
  Judgement other = judge_by(other_, rules_, submission, fact, now);
  if (!submission.judged) {
    begin(submission, fact);
    uncounted_ = {.number = submission.number,
                  .at = clock_.now(),
                  .own = again ? again->repeated : std::vector<std::string>(),
                  .other = other.repeated};
  }
  RejudgedStep& step = submission.step;
  const Judgement recorded = recorded_judgement(fact);
  if (submission.stage == Stage::kJudged) {
    step.recorded.question = asks(step.recorded.question, recorded, fact, own_.standing);
    step.now.question = asks(step.now.question, other, fact, other_.standing);
  }
  step.comparable = other.rule != kEvidenceRule;
  take_judgement(step.recorded, recorded, fact.second_factor_enrolled());
  take_judgement(step.now, std::move(other), fact.second_factor_enrolled());
  keep(submission, fact);
  return again;
}

RejudgedTask::Submission& RejudgedTask::submission_of(const v1::StepJudged& fact) {
  auto found = submissions_.find(fact.step().step_id());
  // The policy judges such a step again only if it was submitted again.
  if (found != submissions_.end() &&
      (found->second.stage == Stage::kWillAsk || found->second.stage == Stage::kWithdrawn)) {
    finish(found);
    found = submissions_.end();
  }
  if (found != submissions_.end()) return found->second;
  while (submissions_.size() >= kOpenSubmissions || (held_bytes_ > kMostHeldOfTask && !submissions_.empty())) {
    finish_oldest();
  }
  Submission& submission = submissions_[fact.step().step_id()];
  submission.number = own_.repetitions.number_step();
  return submission;
}

void RejudgedTask::keep(Submission& submission, const v1::StepJudged& fact) {
  held_bytes_ -= submission.bytes;
  submission.last = fact;
  submission.bytes = fact.ByteSizeLong();
  held_bytes_ += submission.bytes;
}

Circumstances RejudgedTask::circumstances(const v1::StepJudged& fact) {
  return {.write_lock = fact.write_lock_open() ? WriteLockView::kOpen : WriteLockView::kClosed,
          .desktop_id = fact.header().desktop_id(),
          .planner = planner_,
          .rule_file = rule_file_,
          .minute = static_cast<MinuteOfDay>(fact.minute()),
          .allowed_tools = allowed_tools_,
          .repeats = {},
          .earlier = fact.has_evidence() ? typing_.before(fact.evidence()) : EarlierTyping()};
}

Judgement RejudgedTask::judge_by(Side& side, const Rules& rules, const Submission& submission,
                                 const v1::StepJudged& fact, Circumstances circumstances) const {
  circumstances.repeats = side.repetitions.earlier(submission.number, rules);
  return judge(rules, fact.step(), fact.has_evidence() ? &fact.evidence() : nullptr, circumstances);
}

void RejudgedTask::begin(Submission& submission, const v1::StepJudged& fact) const {
  submission.judged = true;
  RejudgedStep& step = submission.step;
  step.task_id = fact.header().task_id();
  step.step_id = fact.step().step_id();
  step.time = WallTime(Nanoseconds(fact.header().wall_ns()));
  step.action_text = escape_foreign(contract::describe(fact.step().action(), fact.evidence()), kActionTextCharacters);
  step.second_factor_enrolled = fact.second_factor_enrolled();
}

void RejudgedTask::count() {
  if (!uncounted_) return;
  clock_.set(uncounted_->at);
  own_.repetitions.add(uncounted_->number, uncounted_->own);
  other_.repetitions.add(uncounted_->number, uncounted_->other);
  uncounted_.reset();
}

bool RejudgedTask::verdict(const v1::Verdict& fact) {
  const auto found = submissions_.find(fact.step_id());
  if (found == submissions_.end()) return false;
  Submission& submission = found->second;
  const bool was_judged = submission.judged;
  submission.step.dry_run = fact.dry_run();
  // The policy counts a step of the planner after it looked for a halt.
  const bool not_begun = submission.step.now.judgement.handler == v1::HANDLER_PLANNER &&
                         (fact.rule() == kHaltedRule || fact.rule() == kRecordedRule);
  if (uncounted_ && uncounted_->number == submission.number && (fact.dry_run() || not_begun)) uncounted_.reset();
  if (fact.decision() == v1::Verdict::DECISION_ASK && !fact.dry_run()) {
    submission.stage = Stage::kWillAsk;
    return was_judged;
  }
  if (fact.decision() == v1::Verdict::DECISION_ALLOW && was_judged) typing_.allowed(submission.last);
  finish(found);
  return was_judged;
}

void RejudgedTask::asked(const v1::ApprovalRequest& fact) {
  const auto found = submissions_.find(fact.step().step_id());
  if (found == submissions_.end()) return;
  found->second.stage = Stage::kAsked;
  found->second.asked_by = fact.rule();
}

void RejudgedTask::answered(const v1::ApprovalDecision& fact) {
  const auto found = submissions_.find(fact.step_id());
  if (found == submissions_.end()) return;
  Submission& submission = found->second;
  switch (fact.answer()) {
    case v1::ApprovalDecision::ANSWER_APPROVED: {
      submission.stage = Stage::kApproved;
      if (!fact.repeats_in_task() || approved_bytes_ + submission.bytes > kMostHeldOfTask) break;
      approved_bytes_ += submission.bytes;
      const v1::Action& action = submission.last.step().action();
      const v1::Evidence& evidence = submission.last.evidence();
      own_.standing.add(action, evidence, submission.asked_by, fact.approver());
      // The person would have approved the question of the other rules, too.
      const StepVerdict& now = submission.step.now;
      if (now.question) other_.standing.add(action, evidence, now.judgement.rule, fact.approver());
      break;
    }
    case v1::ApprovalDecision::ANSWER_EDITED:
      report(submission);
      submission.step = {.edited = true};
      submission.stage = Stage::kJudged;
      submission.judged = false;
      break;
    case v1::ApprovalDecision::ANSWER_WITHDRAWN:
      report(submission);
      submission.stage = Stage::kWithdrawn;
      break;
    default: break;  // A denial follows.
  }
}

void RejudgedTask::ended(const v1::PolicyOutcome& fact) {
  typing_.ended(fact);
  const auto found = submissions_.find(fact.outcome().step_id());
  // Paused, or the desktop cannot do it: nobody is asked.
  if (found != submissions_.end() && found->second.stage == Stage::kWillAsk) finish(found);
}

void RejudgedTask::report(const Submission& submission) const {
  if (!submission.judged || submission.stage == Stage::kWithdrawn) return;
  RejudgedStep step = submission.step;
  if (step.dry_run) step.recorded.question = step.now.question = false;
  take_(step);
}

void RejudgedTask::finish(Submissions::iterator submission) {
  report(submission->second);
  held_bytes_ -= submission->second.bytes;
  submissions_.erase(submission);
}

void RejudgedTask::finish_oldest() {
  finish(std::ranges::min_element(submissions_, {}, [](const auto& entry) { return entry.second.number; }));
}

void RejudgedTask::finish() {
  while (!submissions_.empty()) finish_oldest();
}

}  // namespace da::policy
