// Follows the steps of one recorded task from submission to verdict, and judges them again: under other rules, and
// under its own ones. Mirrors task/submission.cpp. Takes the policy's facts in the order of their publication.
// Single-threaded.
//
// A step is judged more than once: with the picture for a question, again after an approval, or when the write lock has
// closed. It counts once, by its last judgement. If a person edited it, it counts once as submitted and once for each
// edit, because each was judged as an action of its own.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "da/v1/history.pb.h"
#include "da/v1/policy_rpc.pb.h"
#include "services/policy/approval/standing_approvals.h"
#include "services/policy/judgement/repetitions.h"
#include "services/policy/rejudging/recorded_typing.h"
#include "services/policy/rejudging/rejudged_step.h"

namespace da::policy {

class RejudgedTask {
 public:
  // `rules`: the other rules. All references must outlive it.
  RejudgedTask(const v1::TaskOpened& opened, const Rules& rules, const RecordedOutcomes& outcomes,
               const TakeStep& take);

  // Returns the judgement under its own rules. rules_problem: why they were not in force; empty if they were.
  // own == nullptr: they are not in the recording, nullopt.
  std::optional<Judgement> judged(const v1::StepJudged& fact, const Rules* own, const std::string& rules_problem);
  // Returns whether the step had been judged.
  bool verdict(const v1::Verdict& fact);
  void asked(const v1::ApprovalRequest& fact);
  void answered(const v1::ApprovalDecision& fact);
  void granted(const v1::GrantIssued& fact) { typing_.granted(fact); }
  void ended(const v1::PolicyOutcome& fact);
  // Reports the steps that have no final verdict.
  void finish();

 private:
  // The time of the fact that is read.
  class RecordedClock final : public Clock {
   public:
    MonoTime now() const override { return now_; }
    WallTime wall_now() const override { return {}; }
    void set(MonoTime now) { now_ = now; }

   private:
    MonoTime now_;
  };
  // What depends on the rules that judge the task.
  struct Side {
    explicit Side(const Clock& clock) : repetitions(clock) {}
    Repetitions repetitions;
    StandingApprovals standing;
  };
  enum class Stage {
    kJudged,   // Or not yet.
    kWillAsk,  // Its verdict is to ask.
    kAsked,
    kApproved,
    kWithdrawn,  // Reported already.
  };
  struct Submission {
    Repetitions::Number number = 0;
    RejudgedStep step;
    v1::StepJudged last;
    Stage stage = Stage::kJudged;
    std::string asked_by;   // The rule of the question.
    bool judged = false;    // Judged since it was submitted or edited.
    std::size_t bytes = 0;  // Size of `last`.
  };
  using Submissions = std::map<std::string, Submission>;  // Keyed by step id.
  // The repetitions of the step that was judged last. The policy counts them after it knows that it is no dry run.
  struct Uncounted {
    Repetitions::Number number = 0;
    MonoTime at;
    std::vector<std::string> own;
    std::vector<std::string> other;
  };

  Submission& submission_of(const v1::StepJudged& fact);
  void keep(Submission& submission, const v1::StepJudged& fact);
  void finish_oldest();
  Circumstances circumstances(const v1::StepJudged& fact);
  Judgement judge_by(Side& side, const Rules& rules, const Submission& submission, const v1::StepJudged& fact,
                     Circumstances circumstances) const;
  void begin(Submission& submission, const v1::StepJudged& fact) const;
  void count();
  void report(const Submission& submission) const;
  void finish(Submissions::iterator submission);

  const Rules& rules_;
  const TakeStep& take_;
  const std::string planner_;
  const std::string rule_file_;
  const std::set<std::string> allowed_tools_;
  RecordedClock clock_;
  RecordedTyping typing_;
  Side own_{clock_};
  Side other_{clock_};
  Submissions submissions_;
  std::optional<Uncounted> uncounted_;
  std::size_t held_bytes_ = 0;      // Sum over the submissions.
  std::size_t approved_bytes_ = 0;  // Sum over the standing approvals.
};

}  // namespace da::policy
