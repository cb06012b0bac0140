// Writes the policy's records: one function for each kind (docs/AUDIT.md lists them).
// Functions that return a Result record a decision: they return once the record is durable; on an error the caller must
// not act. Functions that return nothing record an event: it is in the kernel when they return, and on disk soon after.
// Any thread.
#pragma once

#include <string>

#include "da/v1/outcome.pb.h"
#include "da/v1/pause.pb.h"
#include "da/v1/policy_rpc.pb.h"
#include "da/v1/verdict.pb.h"
#include "services/policy/audit/log.h"
#include "services/policy/audit/recorded_action.h"

namespace da::policy {

class AuditTrail {
 public:
  // The log outlives it.
  explicit AuditTrail(AuditLog& log) : log_(log) {}

  Result<void> task_opened(const std::string& task_id, const v1::OpenTaskRequest& request);
  void task_closed(const std::string& task_id, const std::string& why);

  // `evidence` is empty if none was gathered; `claims` are those of the grant that follows, null if none follows.
  Result<void> verdict(const std::string& task_id, const v1::Verdict& verdict, const v1::Action& action,
                       const v1::Evidence& evidence, const std::string& rules_version, const v1::GrantClaims* claims);
  void outcome(const std::string& task_id, const v1::Outcome& outcome);

  void question(const std::string& task_id, const v1::ApprovalRequest& question);
  // Records the answer of a person before it takes effect.
  Result<void> answer(const v1::ApproveRequest& request);
  Result<void> answer(const v1::DenyRequest& request);
  Result<void> answer(const v1::EditRequest& request);
  // An approved question that demanded a second factor had a correct code.
  void question_ended(const v1::ApprovalRequest& question, const v1::ApprovalDecision& decision);

  Result<void> write_lock_opens(const std::string& task_id, const std::string& by, std::uint64_t for_ms,
                                std::uint64_t for_steps);
  void write_lock_closed(const std::string& task_id, const std::string& by);

  void halted(const std::string& reason, const std::string& by);
  void paused(const v1::Pause& pause, const std::string& by);
  // Ends a halt and a pause.
  Result<void> resumes(const std::string& by);

  // The rule file was read again.
  void rules(const v1::RulesState& state);

  // The text of an error of these functions, for the planner and for people.
  static std::string denial(const Error& error);
  std::string describe() const { return log_.describe(); }

 private:
  AuditRecord record(std::string_view kind) const { return {kind, log_.clock().wall_now()}; }
  AuditRecord answer_record(const std::string& approval_id, const char* said, const std::string& by) const;
  Result<void> record_decision(const AuditRecord& record);
  void record_event(const AuditRecord& record);

  AuditLog& log_;
};

}  // namespace da::policy
