// One submitted step on its way through the broker (broker.h). Lives for one call, on the thread of that call.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "services/policy/broker.h"

namespace da::policy {

class Submission {
 public:
  Submission(const Authority& authority, Task task, const v1::SubmitRequest& request, std::stop_token stop);

  Result<v1::SubmitReply> run();
  // Where the task submits more than it may: as a denial that is put on record, or told to the submitter alone, so that
  // a flood of refusals fills neither the log nor the bus.
  v1::SubmitReply deny_as_too_many();
  v1::SubmitReply too_many();
  // Whether the reply was told to the submitter alone, or nothing follows from it.
  bool off_record() const { return off_record_ || dry_run_; }

 private:
  using Reply = Result<v1::SubmitReply>;

  // What the judge says before anything was gathered, and with evidence.
  void judge_without_evidence() { judge_with(nullptr); }
  void judge_with(const v1::Evidence* evidence);
  Circumstances circumstances(const v1::Evidence* evidence) const;
  // Gathers evidence of now.
  enum class Picture { kNone, kOfTarget };
  Result<v1::Evidence> prepare(Picture picture);

  // Waits until no other step of the task is between its evidence and its act.
  Reply in_turn(const std::function<Reply()>& go_on);
  Reply judge_and_follow();
  Reply follow_verdict();
  Reply ask_person();
  v1::ApprovalRequest question() const;
  Result<bool> needs_second_factor() const;
  void publish_decision(const v1::ApprovalRequest& asked, const Answer& answer);
  // Goes on with what a person made of the step.
  Reply edited(const Answer& answer);
  Reply act_as_approved(const std::string& approver);
  // Acts by the write lock, where nobody was asked.
  Reply act_by_policy();
  Reply act(const std::string& approver);
  v1::Outcome execute(const v1::GrantClaims& claims);
  // Where the actuator refuses because of a pause that the policy has not heard of, it hears of it now.
  void hear_of_pause(v1::Outcome::Code code);

  v1::GrantClaims claims(const std::string& approver) const;
  v1::Outcome refusal(v1::Outcome::Code code, const std::string& message) const;
  v1::Outcome honest(v1::Outcome outcome) const;
  v1::Outcome lost(const Error& error) const;

  v1::Verdict verdict() const;
  // Puts the verdict on record, publishes it and makes it the reply's. What cannot be recorded is denied instead.
  v1::SubmitReply say(const v1::GrantClaims* claims = nullptr);
  v1::SubmitReply deny(std::string rule, std::string reason, std::optional<v1::Outcome::Code> code = std::nullopt);
  v1::SubmitReply denied_by_answer(const Answer& answer);
  // Where what decides about the second factor cannot be read.
  v1::SubmitReply deny_as_unread(const Error& error);
  v1::SubmitReply cannot_be_done();
  v1::SubmitReply stale(const std::string& what);
  v1::SubmitReply halted();
  v1::SubmitReply paused(const Paused& why);
  v1::SubmitReply recorded(v1::Outcome outcome);

  const Authority& authority_;
  const Task task_;
  const bool dry_run_;  // As the task was opened, or as its planner asks.
  v1::Step step_;       // As submitted, or as a person edited it.
  const std::stop_token stop_;
  const Repetitions::Number number_;
  std::shared_ptr<const Rules> rules_;  // Those that judgement_ is by.
  std::string action_digest_;
  int edits_ = 0;
  bool off_record_ = false;
  Milliseconds may_take_{};          // The person who is asked.
  std::optional<Turns::Turn> turn_;  // Held from the evidence to the act, but not while a person is asked.
  Judgement judgement_;
  v1::Evidence evidence_;
};

}  // namespace da::policy
