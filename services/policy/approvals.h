// The questions that wait for people. Each is asked once, and ends once: approved, denied, skipped, edited, expired or
// withdrawn. Where several people must approve, the last of them ends it.
//
//   auto question = approvals.ask(std::move(request), expiry);      // gets its id; now it can be answered
//   Answer answer = approvals.wait(question->approval_id(), stop);  // blocks until it ends
//
// wait() must be called once for each question. Expiry is by the clock that it is given. Any thread.
// Answering: kNotFound (no such question), kFailedPrecondition (it has ended; the error says how and by whom),
// kInvalidArgument (nobody's name, or an approval for the task of a critical step), kPermissionDenied (whoever opened
// the task may not answer for it), kAlreadyExists (this person approved it already).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "da/v1/policy_rpc.pb.h"
#include "da/v1/verdict.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::policy {

inline constexpr Milliseconds kDefaultApprovalExpiry{120'000};

// Of one question, and of one page of them: a gRPC client takes messages of at most 4 MiB.
inline constexpr std::size_t kMaxQuestionBytes = 3 << 20;

// Who must agree, beyond one person. Names are as good as what proves them: with a second factor, a code.
struct ApprovalRules {
  std::uint32_t people_for_critical = 1;
  bool opener_may_answer = true;  // Whoever opened the task may approve and edit its steps. Anybody may deny.
};

struct Answer {
  v1::ApprovalDecision::Answer kind = v1::ApprovalDecision::ANSWER_UNSPECIFIED;
  std::string approver;  // All of them where several had to.
  std::string reason;
  bool repeats_in_task = false;  // With an approval: for the same step at the same place.
  bool stops_task = false;       // With a denial.
  v1::Action edited = {};        // With ANSWER_EDITED: what takes the action's place.
};

class Approvals {
 public:
  explicit Approvals(const Clock& clock, ApprovalRules rules = {}) : clock_(clock), rules_(rules) {}

  // Whether one more question of the task would be taken; the errors of ask() otherwise.
  Result<void> room_for(const std::string& task_id) const;

  // Fills in approval_id, approvals_needed and expires_wall_ns; the header's task_id must be set. kResourceExhausted
  // where too many questions wait already, or where nobody could list this one (kMaxQuestionBytes); kUnavailable after
  // shut_down().
  Result<v1::ApprovalRequest> ask(v1::ApprovalRequest request, Milliseconds expiry);

  // A stop request withdraws the question.
  Answer wait(const std::string& approval_id, std::stop_token stop);

  // The question, where this person could approve it so now; for what has to be asked of the person before approve().
  Result<v1::ApprovalRequest> approvable(const std::string& approval_id, const std::string& approver,
                                         bool repeats_in_task);
  // How many more people must approve.
  Result<std::uint32_t> approve(const std::string& approval_id, const std::string& approver, bool repeats_in_task);
  // The task whose step it was.
  Result<std::string> deny(const std::string& approval_id, const std::string& approver, const std::string& reason,
                           v1::DenyRequest::Then then);
  Result<void> edit(const std::string& approval_id, const std::string& approver, const v1::Action& action);

  void withdraw_task(const std::string& task_id, const std::string& reason);
  void withdraw_all(const std::string& reason);
  // Withdraws all, and takes no more.
  void shut_down();

  // Those that can still be answered, oldest first.
  std::vector<v1::ApprovalRequest> pending() const;
  // The same in pages of at most kMaxQuestionBytes: those that were asked after the question `after`, which may have
  // ended meanwhile; empty: from the first. kNotFound where no such question is known (any more).
  Result<v1::ListPendingReply> page(const std::string& after) const;
  // Their ids, and the actions in words.
  std::vector<std::pair<std::string, std::string>> in_words() const;

  // Makes waiters look at the clock again; a clock that a test advances does not wake anyone.
  void wake();

 private:
  struct Question {
    v1::ApprovalRequest request;
    MonoTime expires;
    Answer answer;
    std::uint64_t number = 0;
    bool all_repeat = true;  // Each approval so far holds for the task.
    bool open() const { return answer.kind == v1::ApprovalDecision::ANSWER_UNSPECIFIED; }
  };
  struct Ended {
    Answer answer;
    std::uint64_t number = 0;  // Of the question.
  };
  // With the lock held.
  std::vector<const Question*> open_questions() const;
  std::optional<std::uint64_t> number_of(const std::string& approval_id) const;
  Result<void> room_with_lock(const std::string& task_id) const;
  Result<Question*> open_question(const std::string& approval_id, const std::string& person);
  Result<Question*> answerable(const std::string& approval_id, const std::string& person);
  Result<Question*> approvable_question(const std::string& approval_id, const std::string& person,
                                        bool repeats_in_task);
  void end(Question& question, Answer answer);
  std::string unused_id() const;
  void expire_if_due(Question& question) const;
  void withdraw_open(const std::string& task_id, const std::string& reason);
  void remember(const std::string& approval_id, Ended ended);

  const Clock& clock_;
  const ApprovalRules rules_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::uint64_t wakes_ = 0;
  std::uint64_t asked_ = 0;
  bool shut_down_ = false;
  std::map<std::string, Question> questions_;
  // So that a late answer is told what became of the question, and a list goes on behind it.
  std::map<std::string, Ended> ended_;
  std::deque<std::string> ended_order_;
};

}  // namespace da::policy
