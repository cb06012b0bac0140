// The service Policy without gRPC: owns all parts of da-policy and implements each call. The actuator, bus and clock
// must outlive it. Any thread; submit() blocks for as long as a person takes to answer.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "services/policy/stopping/stopping.h"
#include "services/policy/task/submission.h"
#include "services/policy/task/tasks.h"

namespace da::policy {

class Policy {
 public:
  struct Setup {
    Rules rules;
    GrantSigner signer;
    service::StopLatch stops;
    std::string desktop_id;
    std::filesystem::path state_directory;          // Holds accepted and proposed rules.
    std::filesystem::path second_factor_directory;  // Need not exist.
    ApprovalRules approval_rules;
    std::vector<std::string> notify;  // argv of the command that notifies people; empty: none.
    std::unique_ptr<AuditLog> audit;
    bool recording_required = false;
  };
  Policy(Setup setup, Actuator& actuator, bus::Publisher& bus, const Clock& clock);
  ~Policy();
  Policy(const Policy&) = delete;
  Policy& operator=(const Policy&) = delete;

  // An error if it cannot be recorded in the audit log; likewise approve(), edit(), unlock() and resume().
  Result<v1::OpenTaskReply> open_task(const v1::OpenTaskRequest& request);
  Result<v1::CloseTaskReply> close_task(const v1::CloseTaskRequest& request);
  // Errors: kUnauthenticated (token), kInvalidArgument (no step id, or too large), kUnavailable and kDeadlineExceeded
  // (da-actuator failed before it did anything), kCancelled (the caller went away).
  Result<v1::SubmitReply> submit(const v1::SubmitRequest& request, std::stop_token stop);

  Result<v1::AnswerReply> approve(const v1::ApproveRequest& request);
  Result<v1::AnswerReply> deny(const v1::DenyRequest& request);
  Result<v1::AnswerReply> edit(const v1::EditRequest& request);
  Result<v1::ListPendingReply> list_pending(const v1::ListPendingRequest& request = {}) const;

  Result<v1::LockReply> unlock(const v1::UnlockRequest& request);
  v1::LockReply lock(const v1::LockRequest& request);

  Result<v1::HaltReply> halt(const v1::HaltRequest& request) { return stopping_.halt(request); }
  Result<void> halt_alone(const v1::HaltRequest& request) { return stopping_.halt_alone(request); }
  // Returns once the policy is halted, or after the request's max_wait_ms (at most 10 s).
  Result<v1::AwaitHaltReply> await_halt(const v1::AwaitHaltRequest& request, const std::stop_token& stop) const;
  v1::PauseReply pause(const v1::PauseRequest& request) { return stopping_.pause(request); }
  // Returns once the policy is not paused, or with the pause after the request's max_wait_ms (at most 10 s).
  Result<v1::AwaitResumeReply> await_resume(const v1::AwaitResumeRequest& request, const std::stop_token& stop) const;
  Result<v1::ResumeReply> resume(const v1::ResumeRequest& request) { return stopping_.resume(request); }

  // If the recording of an open task ends, the policy halts.
  v1::RenewRecordingReply renew_recording(const v1::RenewRecordingRequest& request);

  // Reads the rule file again. While it is broken, every step is denied. A changed file is in force once a person has
  // accepted it. Open questions are judged by the new rules when they are answered. A task that was open before keeps
  // its rules, except where the new ones are stricter.
  enum class Reload { kUnchanged, kChanged, kUnaccepted };
  Result<Reload> reload_rules();

  // Names and values for people: write lock, halt, questions, rules and so on.
  std::vector<std::pair<std::string, std::string>> properties() const;

  // Withdraws all questions and stops running steps, so that every submit() returns soon.
  void shut_down();
  // Makes all waiters read the clock again. Used by tests that advance it.
  void wake();

 private:
  void end_task(const TaskRecord& task, const std::string& reason);
  v1::RulesState rules_state() const;
  void publish_rule_file(const std::string& task_id);
  void halt_if_not_recorded();
  v1::PolicyState state(const TaskRecord& task) const;
  void publish_outcome(const std::string& task_id, const v1::Outcome& outcome);
  v1::LockReply lock_changed();
  void publish_task_lock(const std::string& task_id, bool open, const std::string& by);
  // Takes all locks of a grant and checks the audit log, to detect a hanging policy.
  Result<void> can_grant(const std::stop_token& stop);

  RuleBook rules_;
  const GrantSigner signer_;
  const std::string desktop_id_;
  const std::filesystem::path state_directory_;
  const std::unique_ptr<AuditLog> audit_log_;
  AuditTrail audit_;
  Actuator& actuator_;
  bus::Publisher& bus_;
  const Clock& clock_;
  Tasks tasks_;
  WriteLock write_lock_;
  Approvals approvals_;
  RunningSteps running_;
  SecondFactor second_factor_;
  Notifier notifier_;
  Stopping stopping_;
  Heartbeat heartbeat_;
  RecordingLease recording_;
  const PolicyContext context_;
  std::jthread lock_watch_;       // Publishes the expiry of the write lock.
  std::jthread recording_watch_;  // Halts if the recorder is lost.
};

}  // namespace da::policy
