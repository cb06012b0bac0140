// What the policy puts on record, in its own words: one function for each kind of record (docs/SECURITY.md lists them).
// The functions that decide something return once the record is durable, and an error where it cannot be: then the
// caller must not go ahead. Those that return nothing tell what happened anyway; they reach the kernel before they
// return, and the disk soon after.
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

  // `evidence` is empty where none was gathered; `claims` are those of the grant that follows, null where none does.
  Result<void> verdict(const std::string& task_id, const v1::Verdict& verdict, const v1::Action& action,
                       const v1::Evidence& evidence, const std::string& rules_version, const v1::GrantClaims* claims);
  void outcome(const std::string& task_id, const v1::Outcome& outcome);

  void question(const std::string& task_id, const v1::ApprovalRequest& question);
  // What a person said, before it has an effect.
  Result<void> answer(const v1::ApproveRequest& request);
  Result<void> answer(const v1::DenyRequest& request);
  Result<void> answer(const v1::EditRequest& request);
  // What became of the question; an approval of one that needs a second factor had it.
  void question_ended(const v1::ApprovalRequest& question, const v1::ApprovalDecision& decision);

  Result<void> write_lock_opens(const std::string& task_id, const std::string& by, std::uint64_t for_ms,
                                std::uint64_t for_steps);
  void write_lock_closed(const std::string& task_id, const std::string& by);

  void halted(const std::string& reason, const std::string& by);
  void paused(const v1::Pause& pause, const std::string& by);
  // Of a halt and a pause.
  Result<void> resumes(const std::string& by);

  // A rule file was read again: the version in force, and why the file is not, where it is not.
  void rules(const std::string& file, const std::string& version, const std::string& problem);

  // Names an error of the functions above for the planner and for people.
  static std::string denial(const Error& error);
  std::string describe() const { return log_.describe(); }

 private:
  AuditRecord record(std::string_view kind) const { return {kind, log_.clock().wall_now()}; }
  Result<void> decide(AuditRecord record);
  void tell(AuditRecord record);

  AuditLog& log_;
};

}  // namespace da::policy
