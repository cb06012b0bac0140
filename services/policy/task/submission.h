// One submitted step, from its evidence to its outcome. Lives for one call, on the thread of that call.
//
//   Prepare -> judge -> allow: grant, Execute
//                    -> ask:   question, answer, Prepare again (must match what was approved), grant, Execute
//                              edited by a person: judged again as a new action
//                    -> deny:  the verdict
//
// A denial, refusal or expiry is a reply with a verdict (and an outcome if the actuator was to act). The verdict of the
// reply is final: ALLOW for an approved question, otherwise DENY. All verdicts are published, also the ASK before its
// question. Each verdict is in the audit log before the reply or the act; if it cannot be recorded, it becomes DENY.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "da/v1/history.pb.h"
#include "da/v1/policy_rpc.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/bus/publisher.h"
#include "lib/service/stopping/stop_latch.h"
#include "services/policy/approval/approvals.h"
#include "services/policy/approval/notifier.h"
#include "services/policy/approval/write_lock.h"
#include "services/policy/audit/trail.h"
#include "services/policy/grant/actuator.h"
#include "services/policy/grant/grants.h"
#include "services/policy/grant/running_steps.h"
#include "services/policy/judgement/judge.h"
#include "services/policy/rule_file/accepted_rules.h"
#include "services/policy/second_factor/second_factor.h"
#include "services/policy/stopping/heartbeat.h"
#include "services/policy/task/recording_lease.h"
#include "services/policy/task/task_record.h"

namespace da::policy {

// The parts of the policy that a submission works with. The owner must keep them alive.
struct PolicyContext {
  const RuleBook& rules;
  const GrantSigner& signer;
  const Clock& clock;
  const std::string& desktop_id;
  Actuator& actuator;
  bus::Publisher& bus;
  WriteLock& write_lock;
  Approvals& approvals;
  service::StopLatch& stops;
  Heartbeat& heartbeat;
  RunningSteps& running;
  const SecondFactor& second_factor;
  Notifier& notifier;
  AuditTrail& audit;
  const RecordingLease& recording;
};

class Submission {
 public:
  Submission(const PolicyContext& context, std::shared_ptr<TaskRecord> task, const v1::SubmitRequest& request,
             std::stop_token stop);

  Result<v1::SubmitReply> run();
  // Refuse a step of a task over its limits: the first records and publishes a denial, the second tells only the
  // submitter, so that a flood of steps fills neither the log nor the bus.
  v1::SubmitReply deny_as_too_many();
  v1::SubmitReply too_many();
  // Whether only the submitter gets the reply, or it was a dry run.
  bool off_record() const { return off_record_ || dry_run_; }
  // Whether the outcome of the reply is the actuator's, which has published it.
  bool actuator_answered() const { return actuator_answered_; }

 private:
  using Reply = Result<v1::SubmitReply>;

  // Judges by the current rules, and by the task's own if they differ: the stricter judgement counts. Publishes it,
  // unless only the evidence is missing.
  Judgement judged(const v1::Evidence* evidence);
  void publish_judgement(const Judgement& judgement, const v1::Evidence* evidence, const Circumstances& circumstances);
  Circumstances circumstances(const v1::Evidence* evidence, const Rules& rules) const;
  enum class Picture { kNone, kOfTarget };
  Result<contract::SealedEvidence> prepare(Picture picture);

  // Waits until no other step of the task is between its evidence and its act.
  Reply in_turn(const std::function<Reply()>& go_on);
  Reply judge_and_follow();
  Reply follow_verdict();
  Reply ask_person();
  // The action in words, for lists and notifications; foreign text is escaped. A person who decides sees the whole
  // step.
  std::string action_text() const;
  v1::ApprovalRequest question() const;
  Result<bool> needs_second_factor(const Judgement& judgement) const;
  void publish_decision(const v1::ApprovalRequest& asked, const Answer& answer);
  // Continues with the action that a person edited.
  Reply edited(const Answer& answer);
  Reply act_as_approved(const std::string& approver);
  // Acts without a question, subject to the write lock.
  Reply act_by_policy();
  Reply act(const std::string& approver);
  v1::Outcome execute(const v1::GrantClaims& claims);
  // If the actuator refused because of a pause that the policy does not know, fetches the pause now.
  void learn_of_pause(v1::Outcome::Code code);

  v1::GrantClaims claims(const std::string& approver) const;
  v1::Outcome refusal(v1::Outcome::Code code, const std::string& message) const;
  // Replaces an unspecified kind by KIND_UNKNOWN.
  v1::Outcome completed(v1::Outcome outcome) const;
  v1::Outcome lost(const Error& error) const;

  v1::Verdict verdict() const;
  // Records and publishes the verdict. The reply's verdict is the issued one: a denial if it cannot be recorded.
  v1::SubmitReply issue_verdict(const v1::GrantClaims* claims = nullptr) const;
  v1::SubmitReply deny(std::string rule, std::string reason, std::optional<v1::Outcome::Code> code = std::nullopt);
  v1::SubmitReply denied_by_answer(const Answer& answer);
  // Denies the step because the state of the second factors cannot be read.
  v1::SubmitReply deny_as_unread(const Error& error);
  v1::SubmitReply cannot_be_done();
  v1::SubmitReply stale(const std::string& what);
  v1::SubmitReply halted(const service::Stop& why);
  v1::SubmitReply paused(const service::Stop& why);
  v1::SubmitReply recorded(v1::Outcome outcome);

  const PolicyContext& context_;
  const std::shared_ptr<TaskRecord> task_;
  const bool dry_run_;  // The task or this request is a dry run.
  v1::Step step_;       // As submitted, or as a person edited it.
  const std::stop_token stop_;
  const Repetitions::Number number_;
  std::shared_ptr<const Rules> rules_;  // The rules of judgement_.
  std::string action_digest_;
  int edits_ = 0;
  bool off_record_ = false;
  bool actuator_answered_ = false;
  Milliseconds answer_timeout_{};
  std::optional<TaskSerializer::Turn> turn_;  // Held from the evidence to the act, but not while a person is asked.
  Judgement judgement_;
  contract::SealedEvidence seen_;
};

}  // namespace da::policy
