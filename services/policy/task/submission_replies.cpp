// The replies of a submission: verdicts, denials, refusals and outcomes.
#include <chrono>

#include "lib/base/text.h"
#include "lib/contract/describe.h"
#include "lib/contract/named_action.h"
#include "services/policy/task/submission.h"

namespace da::policy {
namespace {

std::string duration_text(Milliseconds time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  return seconds.count() > 0 ? std::to_string(seconds.count()) + " s" : std::to_string(time.count()) + " ms";
}

// Whether the error proves that the actuator did not begin the action.
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

v1::Verdict Submission::verdict() const {
  v1::Verdict verdict;
  verdict.set_step_id(step_.step_id());
  verdict.set_decision(judgement_.decision);
  verdict.set_rule(judgement_.rule);
  verdict.set_reason(judgement_.reason);
  verdict.set_risk(judgement_.risk);
  verdict.set_tool(judgement_.tool);
  verdict.set_dry_run(dry_run_);
  verdict.set_action_text(contract::describe(step_.action(), seen_.evidence));
  verdict.set_second_factor(judgement_.second_factor);
  return verdict;
}

v1::SubmitReply Submission::issue_verdict(const v1::GrantClaims* claims) const {
  v1::SubmitReply reply;
  *reply.mutable_verdict() = verdict();
  if (!dry_run_) {
    const auto recorded = context_.audit.verdict(task_->terms.task_id, reply.verdict(), step_.action(), seen_.evidence,
                                                 rules_->version(), claims);
    if (!recorded) {
      reply.mutable_verdict()->set_decision(v1::Verdict::DECISION_DENY);
      reply.mutable_verdict()->set_rule("audit");
      reply.mutable_verdict()->set_reason(AuditTrail::denial(recorded.error()));
    }
  }
  context_.bus.publish(*reply.mutable_verdict(), task_->terms.task_id, step_.step_id());
  // The planner gets a text without the evidence, whose windows and elements a mask may hide from it.
  reply.mutable_verdict()->set_action_text(contract::describe(step_.action()));
  return reply;
}

v1::SubmitReply Submission::deny(std::string rule, std::string reason, std::optional<v1::Outcome::Code> code) {
  judgement_.decision = v1::Verdict::DECISION_DENY;
  judgement_.rule = std::move(rule);
  judgement_.reason = std::move(reason);
  auto reply = issue_verdict();
  if (code) *reply.mutable_outcome() = refusal(*code, reply.verdict().reason());
  return reply;
}

v1::SubmitReply Submission::denied_by_answer(const Answer& answer) {
  using Decision = v1::ApprovalDecision;
  if (answer.kind == Decision::ANSWER_DENIED) {
    const std::string reason = trim(answer.reason).empty() ? "" : ": " + escape_foreign(answer.reason, 300);
    return deny(judgement_.rule, "denied by " + escape_foreign(answer.approver, 100) + reason,
                v1::Outcome::CODE_DENIED);
  }
  if (answer.kind == Decision::ANSWER_SKIPPED) {
    return deny(judgement_.rule, "skipped by " + escape_foreign(answer.approver, 100), v1::Outcome::CODE_SKIPPED);
  }
  if (answer.kind == Decision::ANSWER_EXPIRED) {
    return deny(judgement_.rule, "nobody answered within " + duration_text(answer_timeout_), v1::Outcome::CODE_EXPIRED);
  }
  if (const auto why = context_.stops.halted()) return halted(*why);
  return deny(judgement_.rule, "the question was withdrawn: " + answer.reason, v1::Outcome::CODE_CANCELLED);
}

// The desktop cannot carry out the step now. Nobody is asked, and the rules' verdict stays.
v1::SubmitReply Submission::cannot_be_done() {
  const std::string problem = escape_foreign(seen_.evidence.problem());
  judgement_.reason += " (not carried out: " + problem + ")";
  auto reply = issue_verdict();
  learn_of_pause(seen_.evidence.problem_code());
  const bool named = seen_.evidence.problem_code() != v1::Outcome::CODE_UNSPECIFIED;
  *reply.mutable_outcome() = refusal(named ? seen_.evidence.problem_code() : v1::Outcome::CODE_DESKTOP_ERROR, problem);
  return reply;
}

v1::SubmitReply Submission::stale(const std::string& what) {
  judgement_.decision = v1::Verdict::DECISION_ALLOW;
  judgement_.reason = "approved, but the situation has changed since: " + what;
  auto reply = issue_verdict();
  *reply.mutable_outcome() = refusal(v1::Outcome::CODE_STALE_TARGET, what);
  return reply;
}

v1::SubmitReply Submission::halted(const service::Stop& why) { return deny(kHaltedRule, in_words(why), why.code); }

// The rules' verdict stays, so that the step can be tried again.
v1::SubmitReply Submission::paused(const service::Stop& why) {
  const std::string words = in_words(why);
  judgement_.reason += " (not carried out: " + words + ")";
  auto reply = issue_verdict();
  *reply.mutable_outcome() = refusal(why.code, words);
  return reply;
}

v1::SubmitReply Submission::recorded(v1::Outcome outcome) {
  judgement_.decision = v1::Verdict::DECISION_ALLOW;
  judgement_.rule = kRecordedRule;
  judgement_.reason = "this step has already been carried out; this is its recorded outcome";
  auto reply = issue_verdict();
  *reply.mutable_outcome() = std::move(outcome);
  return reply;
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

v1::Outcome Submission::completed(v1::Outcome outcome) const {
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
    outcome.set_code(context_.stops.halted() ? v1::Outcome::CODE_HALTED : v1::Outcome::CODE_CANCELLED);
  }
  if (!harmless) outcome.set_message("it may or may not have happened: " + error.message);
  return outcome;
}

}  // namespace da::policy
