#include "services/policy/submission.h"

#include "lib/base/id.h"
#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/describe.h"
#include "lib/contract/digest.h"
#include "services/policy/same_evidence.h"
#include "services/policy/time_limit.h"

namespace da::policy {
namespace {

// From the challenge to the start of the action: signing and one call, not the action itself.
constexpr std::uint32_t kGrantValidMs = 2'000;
constexpr char kByPolicy[] = "policy";

using Decision = v1::ApprovalDecision;

// What the actuator answered without having begun; every other error leaves it open.
bool says_not_begun(Code code) {
  switch (code) {
    case Code::kInvalidArgument:
    case Code::kNotFound:
    case Code::kPermissionDenied:
    case Code::kFailedPrecondition:
    case Code::kUnimplemented:
    case Code::kUnauthenticated: return true;
    default: return false;
  }
}

}  // namespace

Submission::Submission(const Authority& authority, Task task, const v1::SubmitRequest& request, std::stop_token stop)
    : authority_(authority),
      task_(std::move(task)),
      request_(request),
      step_(request.step()),
      stop_(std::move(stop)),
      action_digest_(contract::digest(step_.action())),
      action_text_(contract::describe(step_.action())) {}

Result<v1::SubmitReply> Submission::run() {
  judge_without_evidence();
  if (!request_.dry_run()) {
    if (authority_.halt.engaged()) return halted();
    const auto before = authority_.tasks.recall(task_.task_id, step_.step_id(), action_digest_);
    if (!before) return deny("recorded", before.error().message);
    if (*before) return recorded(**before);
  }
  if (judgement_.rule != "evidence") return follow_verdict();
  ASSIGN_OR_RETURN(evidence_, prepare());
  judge_with(&evidence_);
  if (judgement_.decision != v1::Verdict::DECISION_DENY && !evidence_.problem().empty()) return cannot_be_done();
  return follow_verdict();
}

void Submission::judge_with(const v1::Evidence* evidence) {
  const auto earlier = evidence == nullptr ? EarlierTyping() : authority_.typing.before(task_.task_id, *evidence);
  rules_ = authority_.rules.current();
  judgement_ = judge(*rules_, step_, evidence, authority_.write_lock.view(task_.task_id), earlier);
}

Result<v1::Evidence> Submission::prepare() {
  v1::PrepareRequest request;
  *request.mutable_action() = step_.action();
  request.set_task_id(task_.task_id);
  request.set_step_id(step_.step_id());
  ASSIGN_OR_RETURN(auto evidence, authority_.actuator.prepare(request, kPrepareTimeout, stop_));
  if (evidence.boot_id().empty() || evidence.challenge().empty() || evidence.action_digest() != action_digest_) {
    return Error{Code::kDataLoss, "da-actuator answered Prepare with evidence of another action; nothing was done"};
  }
  return evidence;
}

Result<v1::SubmitReply> Submission::follow_verdict() {
  if (request_.dry_run() || judgement_.decision == v1::Verdict::DECISION_DENY) return say();
  if (judgement_.decision == v1::Verdict::DECISION_ASK) return ask_person();
  return act(kByPolicy);
}

Result<v1::SubmitReply> Submission::ask_person() {
  if (auto reply = say(); judgement_.decision == v1::Verdict::DECISION_DENY) return reply;
  v1::ApprovalRequest request;
  request.mutable_header()->set_task_id(task_.task_id);
  *request.mutable_step() = step_;
  *request.mutable_evidence() = evidence_;
  request.set_rule(judgement_.rule);
  request.set_reason(judgement_.reason);
  request.set_risk(judgement_.risk);
  request.set_action_text(action_text_);
  ASSIGN_OR_RETURN(auto question, authority_.approvals.ask(std::move(request), task_.approval_expiry));
  const std::string id = question.approval_id();
  authority_.audit.question(task_.task_id, question);
  authority_.bus.publish(question, task_.task_id, step_.step_id());
  const Answer answer = authority_.approvals.wait(id, stop_);

  Decision decision;
  decision.set_approval_id(id);
  decision.set_step_id(step_.step_id());
  decision.set_answer(answer.kind);
  decision.set_approver(answer.approver);
  decision.set_reason(answer.reason);
  authority_.audit.question_ended(question, decision);
  authority_.bus.publish(decision, task_.task_id, step_.step_id());
  if (stop_.stop_requested()) return Error{Code::kCancelled, "the step was cancelled while it waited for an answer"};
  if (answer.kind != Decision::ANSWER_APPROVED) return denied_by_answer(answer);
  return act_as_approved(answer.approver);
}

// What was approved must still be what would happen, and the rules must still let it be approved.
Result<v1::SubmitReply> Submission::act_as_approved(const std::string& approver) {
  const Judgement asked = judgement_;
  if (asked.handler == v1::HANDLER_ACTUATOR) {
    ASSIGN_OR_RETURN(auto now, prepare());
    judge_with(&now);
    if (judgement_.decision == v1::Verdict::DECISION_DENY) return say();
    const auto changed = difference(step_.action(), evidence_, now);
    evidence_ = std::move(now);
    if (changed) return stale(*changed);
    if (judgement_.risk > asked.risk) return stale("the risk has risen: " + judgement_.reason);
    if (!evidence_.problem().empty()) return cannot_be_done();
  }
  judgement_ = asked;
  judgement_.decision = v1::Verdict::DECISION_ALLOW;
  judgement_.reason = "approved by " + escape_foreign(approver, 100);
  return act(approver);
}

Result<v1::SubmitReply> Submission::act(const std::string& approver) {
  if (judgement_.handler != v1::HANDLER_ACTUATOR) {
    if (authority_.halt.engaged()) return halted();
    return say();
  }
  const auto before = authority_.tasks.claim(task_.task_id, step_.step_id(), action_digest_);
  if (!before) return deny("recorded", before.error().message, v1::Outcome::CODE_CANCELLED);
  if (*before) return recorded(**before);
  const v1::GrantClaims granted = claims(approver);
  auto reply = say(&granted);
  const bool on_record = reply.verdict().decision() == v1::Verdict::DECISION_ALLOW;
  *reply.mutable_outcome() = on_record ? execute(granted) : refusal(v1::Outcome::CODE_DENIED, judgement_.reason);
  authority_.tasks.settle(task_.task_id, step_.step_id(), reply.outcome());
  if (reply.outcome().kind() != v1::Outcome::KIND_REFUSED) {
    authority_.typing.add(task_.task_id, step_.action(), evidence_);
  }
  return reply;
}

v1::Outcome Submission::execute(const v1::GrantClaims& claims) {
  // Registered before the latch is read: a halt either is seen here, or stops this call.
  const RunningSteps::Scope scope(authority_.running, stop_);
  if (const auto why = authority_.halt.engaged()) return refusal(v1::Outcome::CODE_HALTED, "halted: " + why->reason);
  if (stop_.stop_requested()) return refusal(v1::Outcome::CODE_CANCELLED, "the step was cancelled");
  v1::ExecuteRequest request;
  *request.mutable_action() = step_.action();
  *request.mutable_grant() = authority_.signer.sign(claims);
  auto outcome = authority_.actuator.execute(request, execute_timeout(step_.action()), scope.token());
  return outcome ? honest(*std::move(outcome)) : lost(outcome.error());
}

v1::GrantClaims Submission::claims(const std::string& approver) const {
  v1::GrantClaims claims;
  claims.set_grant_id(random_uuid());
  claims.set_boot_id(evidence_.boot_id());
  claims.set_challenge(evidence_.challenge());
  claims.set_action_digest(action_digest_);
  claims.set_evidence_digest(contract::digest(evidence_));
  claims.set_task_id(task_.task_id);
  claims.set_step_id(step_.step_id());
  claims.set_desktop_id(authority_.desktop_id);
  claims.set_rules_version(rules_->version());
  claims.set_approver(approver);
  claims.set_valid_ms(kGrantValidMs);
  return claims;
}

v1::Outcome Submission::refusal(v1::Outcome::Code code, const std::string& message) const {
  v1::Outcome outcome;
  outcome.set_step_id(step_.step_id());
  outcome.set_tool(judgement_.tool);
  outcome.set_kind(v1::Outcome::KIND_REFUSED);
  outcome.set_code(code);
  outcome.set_message(message);
  return outcome;
}

// An outcome that says nothing is an unknown one.
v1::Outcome Submission::honest(v1::Outcome outcome) const {
  outcome.set_step_id(step_.step_id());
  outcome.set_tool(judgement_.tool);
  if (outcome.kind() == v1::Outcome::KIND_UNSPECIFIED || !v1::Outcome::Kind_IsValid(outcome.kind())) {
    outcome.set_kind(v1::Outcome::KIND_UNKNOWN);
  }
  return outcome;
}

v1::Outcome Submission::lost(const Error& error) const {
  v1::Outcome outcome = refusal(v1::Outcome::CODE_DESKTOP_ERROR, error.message);
  if (says_not_begun(error.code)) {
    outcome.set_kind(v1::Outcome::KIND_FAILED);
    return outcome;
  }
  const bool harmless = contract::risk_of(step_.action()) == v1::RISK_SAFE;
  outcome.set_kind(harmless ? v1::Outcome::KIND_FAILED : v1::Outcome::KIND_UNKNOWN);
  outcome.set_code(v1::Outcome::CODE_SERVICE_LOST);
  if (error.code == Code::kCancelled) {
    outcome.set_code(authority_.halt.engaged() ? v1::Outcome::CODE_HALTED : v1::Outcome::CODE_CANCELLED);
  }
  if (!harmless) outcome.set_message("it may or may not have happened: " + error.message);
  return outcome;
}

}  // namespace da::policy
