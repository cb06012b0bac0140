// da-policy without its wires: everything that the service Policy can be asked, on one object that owns the parts.
// Actuator, bus and clock outlive it. Any thread; submit() blocks for as long as a person takes.
//
// Halt: in force first, then the open questions are withdrawn and the actuator is told; a step that still runs shortly
// after is cancelled. No disk stands in its way: latch and audit log are written meanwhile.
// Pause: the same without the questions, which stay open, and without cancelling where the actuator was told. What is
// approved during a pause is refused as paused: after it people are asked anew, on what they see then.
// Resume ends both. It tells the actuator first, and stays halted or paused where it cannot. A halt that comes while it
// is under way stays, and the actuator is halted again.
// A halt and a pause of the actuator are taken over as they are heard of, with the answers to the heartbeat.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "services/policy/broker.h"
#include "services/policy/disk_work.h"

namespace da::policy {

class Policy {
 public:
  struct Setup {
    Rules rules;
    GrantSigner signer;
    service::HaltLatch halt;
    std::string desktop_id;
    std::filesystem::path state_directory;          // For proposed rules.
    std::filesystem::path second_factor_directory;  // Need not exist.
    ApprovalRules approval_rules;
    std::vector<std::string> notify;  // argv of the command that tells people; empty: none.
    std::unique_ptr<AuditLog> audit;
  };
  Policy(Setup setup, Actuator& actuator, bus::Publisher& bus, const Clock& clock);
  ~Policy();
  Policy(const Policy&) = delete;
  Policy& operator=(const Policy&) = delete;

  // An error where it cannot be put on record; so too unlock() and resume(), and approve().
  Result<v1::OpenTaskReply> open_task(const v1::OpenTaskRequest& request);
  Result<v1::CloseTaskReply> close_task(const v1::CloseTaskRequest& request);
  Result<v1::SubmitReply> submit(const v1::SubmitRequest& request, std::stop_token stop);

  Result<v1::AnswerReply> approve(const v1::ApproveRequest& request);
  Result<v1::AnswerReply> deny(const v1::DenyRequest& request);
  Result<v1::AnswerReply> edit(const v1::EditRequest& request);
  Result<v1::ListPendingReply> list_pending(const v1::ListPendingRequest& request = {}) const;

  Result<v1::LockReply> unlock(const v1::UnlockRequest& request);
  v1::LockReply lock(const v1::LockRequest& request);

  // An error where the halt, though in force, could not be latched on disk, or not yet.
  Result<v1::HaltReply> halt(const v1::HaltRequest& request);
  // Answers as soon as it is halted, or after the time that the task's planner gave.
  Result<v1::AwaitHaltReply> await_halt(const v1::AwaitHaltRequest& request, const std::stop_token& stop) const;
  v1::PauseReply pause(const v1::PauseRequest& request);
  // Answers as soon as it is not paused, or with the pause after the time that the task's planner gave.
  Result<v1::AwaitResumeReply> await_resume(const v1::AwaitResumeRequest& request, const std::stop_token& stop) const;
  Result<v1::ResumeReply> resume(const v1::ResumeRequest& request);

  // Reads the rule file again; a broken one leaves in force what was. Questions that are open are judged by the new
  // rules when they are answered.
  Result<void> reload_rules();

  // Write lock, halt, questions, rules, tasks: name and value, for people.
  std::vector<std::pair<std::string, std::string>> properties() const;

  // Withdraws all questions and stops what runs, so that every submit() returns soon.
  void shut_down();
  // For clocks that a test advances: makes everything that waits look at the clock again.
  void wake();

 private:
  void end_task(const std::string& task_id, const std::string& reason);
  Result<std::string> propose_rule(const v1::ApprovalRequest& approved, const std::string& approver);
  v1::LockReply lock_changed();
  void publish_task_lock(const std::string& task_id, bool open, const std::string& by);
  void publish_halt(bool halted, const std::string& reason, const std::string& by);
  std::string halt_actuator(const std::string& reason);
  // Halts everything of the policy's own; the disk follows.
  void engage_halt(const service::HaltReason& why);
  void pause_began();
  std::string pause_actuator(const std::string& reason);
  // Takes the locks that a grant takes, and passes by the audit log.
  Result<void> can_grant(const std::stop_token& stop);
  void hear(const v1::HeartbeatReply& reply);
  std::string still() const;
  // What came while it was being resumed: the actuator is told again.
  Error stays_halted(const Error& why);
  Error stays_paused(const Error& why);

  RuleBook rules_;
  const GrantSigner signer_;
  service::HaltLatch halt_;
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
  TypingHistory typing_;
  Repetitions repetitions_;
  StandingApprovals standing_;
  SecondFactor second_factor_;
  Notifier notifier_;
  Turns turns_;
  Pauses pauses_;
  DiskWork disk_work_;
  std::mutex latch_mutex_;
  Result<void> latched_;  // Whether the last halt was latched on disk.
  Heartbeat heartbeat_;
  Broker broker_;
  std::jthread lock_watch_;  // Publishes that the write lock's time has run out.
};

}  // namespace da::policy
