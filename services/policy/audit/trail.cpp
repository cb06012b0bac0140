#include "services/policy/audit/trail.h"

#include <spdlog/spdlog.h>

#include "lib/contract/catalogue.h"
#include "lib/contract/evidence/evidence.h"

namespace da::policy {
namespace {

constexpr std::size_t kGoalCharacters = 1'000;
constexpr std::size_t kNameCharacters = 100;

// "allow" for DECISION_ALLOW.
std::string short_name(const std::string& value, std::string_view prefix) {
  std::string name = value.starts_with(prefix) ? value.substr(prefix.size()) : value;
  for (char& c : name) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
  return name;
}

std::string short_risk_name(v1::Risk risk) { return short_name(v1::Risk_Name(risk), "RISK_"); }

AuditRecord& add_step(AuditRecord& record, const std::string& task_id, const std::string& step_id) {
  return record.text("task", task_id, kNameCharacters).text("step", step_id, kNameCharacters);
}

AuditRecord& add_task_limits(AuditRecord& record, const v1::TaskLimits& limits) {
  return record.number("limit_steps", limits.steps())
      .number("limit_time_s", limits.time_s())
      .number("limit_steps_per_second", limits.steps_per_second())
      .number("limit_text_characters", limits.text_characters())
      .number("limit_launches", limits.launches());
}

}  // namespace

Result<void> AuditTrail::record_decision(const AuditRecord& record) { return log_.write({record}, Reach::kDisk); }

void AuditTrail::record_event(const AuditRecord& record) {
  if (const auto written = log_.write({record}, Reach::kKernel); !written) spdlog::error("{}", written.error().message);
}

std::string AuditTrail::denial(const Error& error) {
  return "the audit log cannot be written, so nothing may happen: " + error.message;
}

Result<void> AuditTrail::task_opened(const std::string& task_id, const v1::OpenTaskRequest& request) {
  auto opened = record("task_opened");
  opened.text("task", task_id)
      .text("goal", request.goal(), kGoalCharacters)
      .text("by", request.opened_by(), kNameCharacters)
      .text("planner", request.planner(), kNameCharacters)
      .flag("unlock_writes", request.unlock_writes())
      .flag("dry_run", request.dry_run())
      .number("approval_expiry_ms", request.approval_expiry_ms());
  std::string tools;
  for (const std::string& tool : request.allowed_tools()) tools += (tools.empty() ? "" : ", ") + tool;
  opened.text("allowed_tools", tools, kGoalCharacters);
  add_task_limits(opened, request.limits());
  return record_decision(opened);
}

void AuditTrail::task_closed(const std::string& task_id, const std::string& why) {
  record_event(record("task_closed").text("task", task_id).text("why", why));
}

Result<void> AuditTrail::verdict(const std::string& task_id, const v1::Verdict& verdict, const v1::Action& action,
                                 const v1::Evidence& evidence, const std::string& rules_version,
                                 const v1::GrantClaims* claims) {
  const Exposure exposure = exposure_of(action, evidence);
  std::vector<AuditRecord> records;
  auto& said = records.emplace_back(record("verdict"));
  add_step(said, task_id, verdict.step_id())
      .text("decision", short_name(v1::Verdict::Decision_Name(verdict.decision()), "DECISION_"))
      .text("rule", verdict.rule(), kNameCharacters)
      .text("reason", verdict.reason())
      .text("risk", short_risk_name(verdict.risk()));
  if (verdict.second_factor()) said.flag("second_factor", true);
  record_action(said, verdict.tool(), action, verdict.action_text(), exposure);
  if (const v1::Window* window = contract::subject_window(action, evidence)) {
    said.text("window", window->title(), kNameCharacters).text("process", window->executable());
  }
  said.text("rules_version", rules_version);
  if (claims != nullptr) {
    auto& grant = records.emplace_back(record("grant"));
    add_step(grant, task_id, verdict.step_id()).text("grant", claims->grant_id());
    // The digest of a short secret could be guessed. The evidence contains a random challenge.
    if (exposure == Exposure::kPlain) grant.digest("action_digest", claims->action_digest());
    grant.digest("evidence_digest", claims->evidence_digest())
        .text("rules_version", claims->rules_version())
        .text("approver", claims->approver(), kNameCharacters)
        .text("actuator_boot", claims->boot_id(), kNameCharacters);
  }
  return log_.write(std::move(records), Reach::kDisk);
}

void AuditTrail::outcome(const std::string& task_id, const v1::Outcome& outcome) {
  auto became = record("outcome");
  add_step(became, task_id, outcome.step_id())
      .text("outcome", short_name(v1::Outcome::Kind_Name(outcome.kind()), "KIND_"));
  if (outcome.code() != v1::Outcome::CODE_UNSPECIFIED) {
    became.text("code", short_name(v1::Outcome::Code_Name(outcome.code()), "CODE_"));
  }
  became.text("message", outcome.message())
      .number("done", outcome.done())
      .number("total", outcome.total())
      .text("grant", outcome.grant_id(), kNameCharacters);
  record_event(became);
}

void AuditTrail::question(const std::string& task_id, const v1::ApprovalRequest& question) {
  auto asked = record("question");
  add_step(asked, task_id, question.step().step_id())
      .text("approval", question.approval_id())
      .text("rule", question.rule(), kNameCharacters)
      .text("risk", short_risk_name(question.risk()))
      .text("window", question.evidence().target_window().title())
      .text("focused_window", question.evidence().foreground().title())
      .text("expires", format_wall(WallTime(Nanoseconds(question.expires_wall_ns()))))
      .flag("second_factor", question.second_factor())
      .number("approvals_needed", question.approvals_needed());
  record_event(asked);
}

AuditRecord AuditTrail::answer_record(const std::string& approval_id, const char* said, const std::string& by) const {
  auto answered = record("answer");
  answered.text("approval", approval_id, kNameCharacters).text("said", said).text("by", by, kNameCharacters);
  return answered;
}

Result<void> AuditTrail::answer(const v1::ApproveRequest& request) {
  auto answered = answer_record(request.approval_id(), "approve", request.approver());
  answered.flag("code_given", !request.code().empty());
  if (request.repeats_in_task()) answered.flag("repeats_in_task", true);
  if (request.propose_rule()) answered.flag("propose_rule", true);
  return record_decision(answered);
}

Result<void> AuditTrail::answer(const v1::DenyRequest& request) {
  auto answered = answer_record(request.approval_id(), "deny", request.approver());
  answered.text("reason", request.reason());
  if (request.then() != v1::DenyRequest::THEN_UNSPECIFIED) {
    answered.text("then", short_name(v1::DenyRequest::Then_Name(request.then()), "THEN_"));
  }
  return record_decision(answered);
}

Result<void> AuditTrail::answer(const v1::EditRequest& request) {
  auto answered = answer_record(request.approval_id(), "edit", request.approver());
  // The verdict on the edited step records the rest.
  if (const contract::Tool* tool = contract::tool_of(request.action())) answered.text("tool", tool->name());
  return record_decision(answered);
}

void AuditTrail::question_ended(const v1::ApprovalRequest& question, const v1::ApprovalDecision& decision) {
  auto ended = record("question_ended");
  add_step(ended, question.header().task_id(), decision.step_id())
      .text("approval", decision.approval_id())
      .text("answer", short_name(v1::ApprovalDecision::Answer_Name(decision.answer()), "ANSWER_"))
      .text("by", decision.approver())
      .text("reason", decision.reason());
  if (decision.repeats_in_task()) ended.flag("repeats_in_task", true);
  if (decision.stops_task()) ended.flag("stops_task", true);
  if (decision.answer() == v1::ApprovalDecision::ANSWER_APPROVED) ended.flag("second_factor", question.second_factor());
  record_event(ended);
}

Result<void> AuditTrail::write_lock_opens(const std::string& task_id, const std::string& by, std::uint64_t for_ms,
                                          std::uint64_t for_steps) {
  return record_decision(record("write_lock")
                             .flag("open", true)
                             .text("task", task_id, kNameCharacters)
                             .text("by", by, kNameCharacters)
                             .number("for_ms", for_ms)
                             .number("for_steps", for_steps));
}

void AuditTrail::write_lock_closed(const std::string& task_id, const std::string& by) {
  record_event(
      record("write_lock").flag("open", false).text("task", task_id, kNameCharacters).text("by", by, kNameCharacters));
}

void AuditTrail::halted(const std::string& reason, const std::string& by) {
  record_event(record("halt").text("reason", reason).text("by", by, kNameCharacters));
}

void AuditTrail::paused(const v1::Pause& pause, const std::string& by) {
  record_event(record("pause")
                   .text("cause", short_name(v1::Pause::Cause_Name(pause.cause()), "CAUSE_"))
                   .text("reason", pause.reason())
                   .text("by", by, kNameCharacters));
}

Result<void> AuditTrail::resumes(const std::string& by) {
  return record_decision(record("resume").text("by", by, kNameCharacters));
}

void AuditTrail::rules(const v1::RulesState& state) {
  record_event(record("rules")
                   .text("file", state.file())
                   .text("version", state.version())
                   .flag("in_force", state.problem().empty() && state.unaccepted_version().empty())
                   .text("problem", state.problem())
                   .text("unaccepted_version", state.unaccepted_version()));
}

}  // namespace da::policy
