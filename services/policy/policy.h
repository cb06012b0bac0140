// The service Policy without gRPC: owns all parts of da-policy and implements each call. The actuator, bus and clock
// must outlive it. Any thread; submit() blocks for as long as a person takes to answer.
//
// Halt: takes effect first; then it withdraws the open questions and halts the actuator, and cancels a step that still
// runs after a grace period. It does not wait for the disk: latch and audit log are written in the background.
// Pause: like a halt, but questions stay open, and a running step is only cancelled if the actuator cannot be reached.
// A step that is approved during a pause is refused as paused, so that people are asked again about what they see then.
// Resume: ends both. It resumes the actuator first, and stays halted or paused if that fails. A halt or pause that
// comes during a resume stays, and the actuator is stopped again. The replies to heartbeats tell a halt or pause of the
// actuator, which the policy takes over.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "services/policy/stopping/background_writer.h"
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
    std::filesystem::path state_directory;          // For proposed rules.
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

  // An error if the halt, though in force, could not be latched on disk in time.
  Result<v1::HaltReply> halt(const v1::HaltRequest& request);
  // Returns once the policy is halted, or after the request's max_wait_ms (at most 10 s).
  Result<v1::AwaitHaltReply> await_halt(const v1::AwaitHaltRequest& request, const std::stop_token& stop) const;
  v1::PauseReply pause(const v1::PauseRequest& request);
  // Returns once the policy is not paused, or with the pause after the request's max_wait_ms (at most 10 s).
  Result<v1::AwaitResumeReply> await_resume(const v1::AwaitResumeRequest& request, const std::stop_token& stop) const;
  Result<v1::ResumeReply> resume(const v1::ResumeRequest& request);

  // If the recording of an open task ends, the policy halts.
  v1::RenewRecordingReply renew_recording(const v1::RenewRecordingRequest& request);

  // Reads the rule file again. While it is broken, every step is denied. Open questions are judged by the new rules
  // when they are answered.
  enum class Reload { kUnchanged, kChanged };
  Result<Reload> reload_rules();

  // For people: name and value of the write lock, halt, questions, rules and so on.
  std::vector<std::pair<std::string, std::string>> properties() const;

  // Withdraws all questions and stops running steps, so that every submit() returns soon.
  void shut_down();
  // For tests that advance the clock: makes all waiters read it again.
  void wake();

 private:
  void end_task(const TaskRecord& task, const std::string& reason);
  void publish_rule_file(const std::string& task_id);
  void halt_if_not_recorded();
  v1::PolicyState state(const TaskRecord& task) const;
  void publish_outcome(const std::string& task_id, const v1::Outcome& outcome);
  v1::LockReply lock_changed();
  void publish_task_lock(const std::string& task_id, bool open, const std::string& by);
  void publish_halt(bool halted, const std::string& reason, const std::string& by);
  std::string halt_actuator(const std::string& reason);
  // Halts the policy itself; the disk is written in the background.
  void engage_halt(const std::string& reason, const std::string& by);
  void pause_began();
  std::string pause_actuator(const std::string& reason);
  // Takes all locks of a grant and checks the audit log, to detect a hanging policy.
  Result<void> can_grant(const std::stop_token& stop);
  void take_over(const v1::HeartbeatReply& reply);
  std::string stop_text() const;
  // For a halt or pause that came during a resume: stops the actuator again.
  Error stays_halted(const Error& why);
  Error stays_paused(const Error& why);

  RuleBook rules_;
  const GrantSigner signer_;
  service::StopLatch stops_;
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
  BackgroundWriter disk_writer_;
  std::mutex latch_mutex_;
  Result<void> latched_;  // Whether the last halt was latched on disk.
  Heartbeat heartbeat_;
  RecordingLease recording_;
  const PolicyContext context_;
  std::jthread lock_watch_;       // Publishes the expiry of the write lock.
  std::jthread recording_watch_;  // Halts if the recorder is lost.
};

}  // namespace da::policy
