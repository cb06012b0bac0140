#include "services/policy/task/submission.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "lib/base/id.h"
#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/describe.h"
#include "lib/contract/digest.h"
#include "lib/contract/evidence/staleness.h"
#include "lib/contract/named_action.h"
#include "lib/contract/repetition.h"
#include "lib/os/fault_point/fault_point.h"
#include "lib/service/stopping/stop_machine.h"
#include "services/policy/grant/time_limit.h"

namespace da::policy {
namespace {

// Covers signing and one call, from the challenge to the start of the action.
constexpr std::uint32_t kGrantValidMs = 2'000;
constexpr char kByPolicy[] = "policy";
constexpr char kTooMany[] = "the task submits more steps, or faster, than its limits allow";
constexpr int kMostEdits = 20;  // Limit for one step.
constexpr std::size_t kActionTextCharacters = 1000;

using Decision = v1::ApprovalDecision;

// Whether an approval of the earlier question also answers the question of now. A closed write lock, a critical tool
// and a concern only demand that a person approves the step.
bool answers(const Judgement& asked, const Judgement& now) {
  if (now.decision != v1::Verdict::DECISION_ASK || now.rule == asked.rule) return true;
  return now.rule == "write-lock" || now.rule == "critical" || now.rule == "concern";
}

}  // namespace

Submission::Submission(const PolicyContext& context, std::shared_ptr<TaskRecord> task, const v1::SubmitRequest& request,
                       std::stop_token stop)
    : context_(context),
      task_(std::move(task)),
      dry_run_(task_->terms.dry_run || request.dry_run()),
      step_(request.step()),
      stop_(std::move(stop)),
      number_(task_->repetitions.number_step()),
      rules_(context.rules.current()),
      action_digest_(contract::digest(step_.action())) {}

Result<v1::SubmitReply> Submission::run() {
  return in_turn([this] { return judge_and_follow(); });
}

v1::SubmitReply Submission::deny_as_too_many() { return deny("limits", kTooMany, v1::Outcome::CODE_LIMIT); }

v1::SubmitReply Submission::too_many() {
  off_record_ = true;
  judgement_.rule = "limits";
  judgement_.reason = kTooMany;
  v1::SubmitReply reply;
  *reply.mutable_verdict() = verdict();
  *reply.mutable_outcome() = refusal(v1::Outcome::CODE_LIMIT, kTooMany);
  return reply;
}

Result<v1::SubmitReply> Submission::in_turn(const std::function<Reply()>& go_on) {
  auto turn = task_->serializer.take(stop_);
  if (!turn && turn.error().code == Code::kResourceExhausted) return too_many();
  if (!turn) return turn.error();
  turn_.emplace(*std::move(turn));
  return go_on();
}

Result<v1::SubmitReply> Submission::judge_and_follow() {
  judgement_ = judged(nullptr);
  if (!dry_run_) {
    if (const auto why = context_.stops.halted()) return halted(*why);
    const auto before = task_->steps.recall(step_.step_id(), action_digest_);
    if (!before) return deny(kRecordedRule, before.error().message);
    if (*before) return recorded(**before);
  }
  if (judgement_.rule == kEvidenceRule) {
    ASSIGN_OR_RETURN(seen_, prepare(Picture::kNone));
    judgement_ = judged(&seen_.evidence);
  }
  if (!dry_run_) task_->repetitions.add(number_, judgement_.repeated);
  if (judgement_.decision != v1::Verdict::DECISION_DENY && !seen_.evidence.problem().empty()) return cannot_be_done();
  return follow_verdict();
}

Judgement Submission::judged(const v1::Evidence* evidence) {
  const auto judge_by = [&](const Rules& rules) {
    return judge(rules, step_, evidence, circumstances(evidence, rules));
  };
  rules_ = context_.rules.current();
  Judgement judgement = judge_by(*rules_);
  const auto& own_rules = task_->terms.rules;
  if (own_rules && own_rules->version() != rules_->version()) {
    Judgement own = judge_by(*own_rules);
    std::ranges::copy(judgement.repeated, std::back_inserter(own.repeated));
    judgement.repeated = own.repeated;
    if (is_stricter(own, judgement)) {
      judgement = std::move(own);
      rules_ = own_rules;
    }
  }
  if (const std::string unread = context_.rules.problem(); !unread.empty()) {
    judgement.decision = v1::Verdict::DECISION_DENY;
    judgement.rule = kUnreadRule;
    judgement.reason = "the changed rule file cannot be used, so nothing is allowed until it is fixed: " + unread;
  }
  if (judgement.rule != kEvidenceRule) publish_judgement(judgement, evidence, circumstances(evidence, *rules_));
  return judgement;
}

void Submission::publish_judgement(const Judgement& judgement, const v1::Evidence* evidence,
                                   const Circumstances& circumstances) {
  v1::StepJudged fact;
  *fact.mutable_step() = step_;
  if (evidence != nullptr) {
    *fact.mutable_evidence() = *evidence;
    fact.mutable_evidence()->clear_picture_png();
  }
  fact.set_rules_version(rules_->version());
  fact.set_write_lock_open(circumstances.write_lock == WriteLockView::kOpen);
  fact.set_minute(static_cast<std::uint32_t>(circumstances.minute));
  const auto enrolled = context_.second_factor.enrolled();
  fact.set_second_factor_enrolled(!enrolled || *enrolled);
  fact.set_decision(judgement.decision);
  fact.set_rule(judgement.rule);
  fact.set_risk(judgement.risk);
  fact.set_second_factor(judgement.second_factor);
  context_.bus.publish(fact, task_->terms.task_id, step_.step_id());
}

Circumstances Submission::circumstances(const v1::Evidence* evidence, const Rules& rules) const {
  return {.write_lock = context_.write_lock.view(task_->terms.write_lock),
          .desktop_id = context_.desktop_id,
          .planner = task_->terms.planner,
          .rule_file = rules.file(),
          .minute = local_minute_of_day(context_.clock.wall_now()),
          .allowed_tools = task_->terms.allowed_tools,
          .repeats = task_->repetitions.earlier(number_, rules),
          .earlier = evidence == nullptr ? EarlierTyping() : task_->typing.before(*evidence)};
}

Result<contract::SealedEvidence> Submission::prepare(Picture picture) {
  v1::PrepareRequest request;
  request.set_with_picture(picture == Picture::kOfTarget);
  *request.mutable_action() = step_.action();
  request.set_task_id(task_->terms.task_id);
  request.set_step_id(step_.step_id());
  request.set_justification(step_.justification());
  request.set_keys_to_window(step_.keys_to_window());
  request.set_frame_id(step_.frame_id());
  if (step_.has_row()) *request.mutable_row() = step_.row();
  ASSIGN_OR_RETURN(auto sealed, context_.actuator.prepare(request, kPrepareTimeout, stop_));
  const v1::Evidence& evidence = sealed.evidence;
  if (evidence.boot_id().empty() || evidence.challenge().empty() || evidence.action_digest() != action_digest_) {
    return Error{Code::kDataLoss, "da-actuator answered Prepare with evidence of another action; nothing was done"};
  }
  DA_FAULT_POINT("policy.after_prepare");
  return sealed;
}

Result<v1::SubmitReply> Submission::follow_verdict() {
  if (dry_run_ || judgement_.decision == v1::Verdict::DECISION_DENY) return issue_verdict();
  if (const auto why = context_.stops.paused()) return paused(*why);
  if (judgement_.decision == v1::Verdict::DECISION_ASK) {
    const bool may_use_standing = judgement_.risk != v1::RISK_CRITICAL && !judgement_.second_factor &&
                                  step_.concerns().empty() && judgement_.rule != kLongNameRule;
    const auto approver = task_->standing.approver_of(step_.action(), seen_.evidence, judgement_.rule);
    if (!may_use_standing || !approver) return ask_person();
    judgement_.decision = v1::Verdict::DECISION_ALLOW;
    judgement_.reason = "approved for this task by " + escape_foreign(*approver, 100);
    return act(*approver);
  }
  return act_by_policy();
}

// Critical steps need one as soon as anybody is enrolled; a rule may demand one for any step.
Result<bool> Submission::needs_second_factor(const Judgement& judgement) const {
  if (judgement.second_factor) return true;
  if (judgement.risk != v1::RISK_CRITICAL) return false;
  return context_.second_factor.enrolled();
}

v1::SubmitReply Submission::deny_as_unread(const Error& error) {
  return deny(judgement_.rule, "cannot read whether a second factor is needed: " + error.message,
              v1::Outcome::CODE_DENIED);
}

Result<v1::SubmitReply> Submission::ask_person() {
  const auto needed = needs_second_factor(judgement_);
  if (!needed) return deny_as_unread(needed.error());
  judgement_.second_factor = *needed;
  if (*needed) {
    const auto anybody = context_.second_factor.enrolled();
    if (!anybody) return deny_as_unread(anybody.error());
    if (!*anybody) {
      return deny(judgement_.rule, "a second factor is demanded and nobody is enrolled: da-console enroll",
                  v1::Outcome::CODE_DENIED);
    }
  }
  // Checked before the picture, which costs the desktop some milliseconds.
  RETURN_IF_ERROR(context_.approvals.room_for(task_->terms.task_id));
  if (judgement_.handler == v1::HANDLER_ACTUATOR) {
    ASSIGN_OR_RETURN(seen_, prepare(Picture::kOfTarget));
    Judgement now = judged(&seen_.evidence);
    const bool stricter = now.risk >= judgement_.risk && now.decision == judgement_.decision;
    if (stricter || now.decision == v1::Verdict::DECISION_DENY) judgement_ = std::move(now);
    if (judgement_.decision == v1::Verdict::DECISION_DENY) return issue_verdict();
    if (!seen_.evidence.problem().empty()) return cannot_be_done();
    const auto needed_now = needs_second_factor(judgement_);
    if (!needed_now) return deny_as_unread(needed_now.error());
    judgement_.second_factor = *needed_now;
  }
  if (auto reply = issue_verdict(); reply.verdict().decision() == v1::Verdict::DECISION_DENY) return reply;
  // An answer after the task's time limit would be useless.
  answer_timeout_ = std::min(task_->terms.approval_expiry, task_->steps.time_left(context_.clock.now()));
  ASSIGN_OR_RETURN(auto asked, context_.approvals.ask(question(), answer_timeout_));
  context_.audit.question(task_->terms.task_id, asked);
  context_.bus.publish(asked, task_->terms.task_id, step_.step_id());
  context_.notifier.notify(asked, task_->terms.goal);
  turn_.reset();
  DA_FAULT_POINT("policy.after_question");
  // The person at the desktop sees at once that a question is open, and that it is answered.
  context_.heartbeat.hurry();
  const Answer answer = context_.approvals.wait(asked.approval_id(), stop_);
  context_.heartbeat.hurry();
  DA_FAULT_POINT("policy.after_answer");
  publish_decision(asked, answer);
  if (stop_.stop_requested()) return Error{Code::kCancelled, "the step was cancelled while it waited for an answer"};
  if (answer.kind == Decision::ANSWER_EDITED) return in_turn([&] { return edited(answer); });
  if (answer.kind != Decision::ANSWER_APPROVED) return denied_by_answer(answer);
  if (answer.repeats_in_task) {
    task_->standing.add(step_.action(), seen_.evidence, asked.rule(), answer.approver);
  }
  return in_turn([&] { return act_as_approved(answer.approver); });
}

std::string Submission::action_text() const {
  return escape_foreign(contract::describe(step_.action(), seen_.evidence), kActionTextCharacters);
}

v1::ApprovalRequest Submission::question() const {
  v1::ApprovalRequest question;
  question.mutable_header()->set_task_id(task_->terms.task_id);
  *question.mutable_step() = step_;
  *question.mutable_evidence() = seen_.evidence;
  question.set_rule(judgement_.rule);
  question.set_reason(judgement_.reason);
  question.set_risk(judgement_.risk);
  question.set_action_text(action_text());
  question.set_action_json(contract::call_json(step_.action()).dump());
  question.set_second_factor(judgement_.second_factor);
  question.set_opened_by(task_->terms.opened_by);
  task_->steps.tell_unproven(question);
  return question;
}

void Submission::publish_decision(const v1::ApprovalRequest& asked, const Answer& answer) {
  Decision decision;
  decision.set_approval_id(asked.approval_id());
  decision.set_step_id(step_.step_id());
  decision.set_answer(answer.kind);
  decision.set_approver(answer.approver);
  decision.set_reason(answer.reason);
  decision.set_repeats_in_task(answer.repeats_in_task);
  decision.set_stops_task(answer.stops_task);
  if (answer.kind == Decision::ANSWER_EDITED) *decision.mutable_action() = answer.edited;
  context_.audit.question_ended(asked, decision);
  context_.bus.publish(decision, task_->terms.task_id, step_.step_id());
}

Result<v1::SubmitReply> Submission::edited(const Answer& answer) {
  if (++edits_ > kMostEdits) {
    return deny(judgement_.rule, "edited " + std::to_string(kMostEdits) + " times: submit another step",
                v1::Outcome::CODE_DENIED);
  }
  *step_.mutable_action() = answer.edited;
  action_digest_ = contract::digest(step_.action());
  seen_ = {};
  return judge_and_follow();
}

// The evidence must still match, and the rules must still allow an approval.
Result<v1::SubmitReply> Submission::act_as_approved(const std::string& approver) {
  if (judgement_.handler == v1::HANDLER_ACTUATOR) {
    ASSIGN_OR_RETURN(auto seen_now, prepare(Picture::kNone));
    Judgement now = judged(&seen_now.evidence);
    if (now.decision == v1::Verdict::DECISION_DENY) {
      judgement_ = std::move(now);
      return issue_verdict();
    }
    const auto changed =
        contract::staleness(step_.action(), seen_.evidence, seen_now.evidence, contract::SeenAt::kApproval);
    seen_ = std::move(seen_now);
    if (changed) return stale(*changed);
    if (now.risk > judgement_.risk) return stale("the risk has risen: " + now.reason);
    const auto needed = needs_second_factor(now);
    if (!needed) return deny_as_unread(needed.error());
    if (*needed && !judgement_.second_factor) return stale("a second factor is now demanded");
    if (!answers(judgement_, now)) return stale("rule \"" + now.rule + "\" asks now: " + now.reason);
    if (!seen_.evidence.problem().empty()) return cannot_be_done();
  }
  judgement_.decision = v1::Verdict::DECISION_ALLOW;
  judgement_.reason = "approved by " + escape_foreign(approver, 100);
  return act(approver);
}

Result<v1::SubmitReply> Submission::act_by_policy() {
  if (judgement_.risk != v1::RISK_WRITE || judgement_.handler != v1::HANDLER_ACTUATOR) return act(kByPolicy);
  switch (context_.write_lock.use(task_->terms.write_lock)) {
    case WriteLock::Use::kOpen: break;
    case WriteLock::Use::kLastStep: {
      auto state = context_.write_lock.state();
      context_.bus.publish(state, "", step_.step_id());
      break;
    }
    case WriteLock::Use::kClosed:
      // The lock has closed since the step was judged.
      judgement_ = judged(&seen_.evidence);
      return judgement_.decision == v1::Verdict::DECISION_ALLOW ? act_by_policy() : follow_verdict();
  }
  return act(kByPolicy);
}

Result<v1::SubmitReply> Submission::act(const std::string& approver) {
  // A pause may have begun while a person read the question.
  if (const auto why = context_.stops.paused()) return paused(*why);
  if (judgement_.handler != v1::HANDLER_ACTUATOR) {
    if (const auto why = context_.stops.halted()) return halted(*why);
    return issue_verdict();
  }
  if (const auto recorded = context_.recording.check(task_->terms.task_id); !recorded) {
    return deny("recording", "the task is not recorded any more: " + recorded.error().message,
                v1::Outcome::CODE_SERVICE_LOST);
  }
  const auto before = task_->steps.claim(step_, action_digest_, context_.clock.now());
  if (!before && before.error().code == Code::kResourceExhausted) {
    return deny("limits", before.error().message, v1::Outcome::CODE_LIMIT);
  }
  if (!before) return deny(kRecordedRule, before.error().message, v1::Outcome::CODE_CANCELLED);
  if (*before) return recorded(**before);
  DA_FAULT_POINT("policy.before_audit");
  const v1::GrantClaims granted = claims(approver);
  auto reply = issue_verdict(&granted);
  DA_FAULT_POINT("policy.after_audit");
  const bool on_record = reply.verdict().decision() == v1::Verdict::DECISION_ALLOW;
  *reply.mutable_outcome() = on_record ? execute(granted) : refusal(v1::Outcome::CODE_DENIED, reply.verdict().reason());
  task_->steps.settle(step_.step_id(), reply.outcome(), action_text());
  if (contract::was_begun(reply.outcome())) {
    task_->typing.add(carried_out(step_.action(), reply.outcome()), seen_.evidence);
  }
  return reply;
}

v1::Outcome Submission::execute(const v1::GrantClaims& claims) {
  // Registered before the latch is read, so that a halt or pause is either seen here or stops this call.
  const RunningSteps::Scope scope(context_.running, stop_);
  if (const auto why = context_.stops.current()) return refusal(why->code, in_words(*why));
  if (stop_.stop_requested()) return refusal(v1::Outcome::CODE_CANCELLED, "the step was cancelled");
  v1::ExecuteRequest request;
  *request.mutable_action() = step_.action();
  *request.mutable_grant() = context_.signer.sign(claims);
  v1::GrantIssued fact;
  *fact.mutable_claims() = claims;
  context_.bus.publish(fact, task_->terms.task_id, step_.step_id());
  DA_FAULT_POINT("policy.after_grant");
  auto outcome = context_.actuator.execute(request, execute_timeout(step_.action()), scope.token());
  DA_FAULT_POINT("policy.after_execute");
  if (!outcome) return lost(outcome.error());
  actuator_answered_ = true;
  learn_of_pause(outcome->code());
  return completed(*std::move(outcome));
}

void Submission::learn_of_pause(v1::Outcome::Code code) {
  if (service::is_pause(code) && !context_.stops.paused()) context_.heartbeat.ask(stop_);
}

v1::GrantClaims Submission::claims(const std::string& approver) const {
  v1::GrantClaims claims;
  claims.set_grant_id(random_uuid());
  claims.set_boot_id(seen_.evidence.boot_id());
  claims.set_challenge(seen_.evidence.challenge());
  claims.set_action_digest(action_digest_);
  claims.set_evidence_digest(seen_.digest());
  claims.set_task_id(task_->terms.task_id);
  claims.set_step_id(step_.step_id());
  claims.set_desktop_id(context_.desktop_id);
  claims.set_rules_version(rules_->version());
  claims.set_approver(approver);
  claims.set_valid_ms(kGrantValidMs);
  return claims;
}

}  // namespace da::policy
