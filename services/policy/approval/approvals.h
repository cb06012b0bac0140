// The questions that wait for people. Each one ends exactly once: approved, denied, skipped, edited, expired or
// withdrawn. If several people must approve, the last approval ends it.
//
//   auto question = approvals.ask(std::move(request), expiry);      // now it can be answered
//   Answer answer = approvals.wait(question->approval_id(), stop);  // blocks until it ends
//
// wait() must be called once for each question. Questions expire by the given clock. Any thread.
// Errors of an answer: kNotFound (unknown question), kFailedPrecondition (it has ended; the error says how and by
// whom), kInvalidArgument (no name, or an approval of a critical step for the whole task), kPermissionDenied (the
// person opened the task), kAlreadyExists (the person has approved it already).
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

// The limit of one question, and of one page of questions: a gRPC client accepts messages up to 4 MiB.
inline constexpr std::size_t kMaxQuestionBytes = 3 << 20;

// Stricter rules than one approval by anybody. Names are only proven with a second factor.
struct ApprovalRules {
  std::uint32_t people_for_critical = 1;
  bool opener_may_answer = true;  // The task's opener may approve and edit its steps. Anybody may deny.
};

struct Answer {
  v1::ApprovalDecision::Answer kind = v1::ApprovalDecision::ANSWER_UNSPECIFIED;
  std::string approver;  // All names if several people had to approve.
  std::string reason;
  bool repeats_in_task = false;  // An approval also covers later identical steps at the same place.
  bool stops_task = false;       // Set only by a denial.
  v1::Action edited = {};        // The new action of ANSWER_EDITED.
};

class Approvals {
 public:
  explicit Approvals(const Clock& clock, ApprovalRules rules = {}) : clock_(clock), rules_(rules) {}

  // Whether ask() would accept one more question of the task; otherwise its error.
  Result<void> room_for(const std::string& task_id) const;

  // Fills in approval_id, approvals_needed and expires_wall_ns; the header's task_id must be set. kResourceExhausted if
  // too many questions wait, or the question exceeds kMaxQuestionBytes; kUnavailable after shut_down().
  Result<v1::ApprovalRequest> ask(v1::ApprovalRequest request, Milliseconds expiry);

  // A stop request withdraws the question.
  Answer wait(const std::string& approval_id, std::stop_token stop);

  // The question, if this person can approve it now. For checks between this and approve(), such as a code.
  Result<v1::ApprovalRequest> approvable(const std::string& approval_id, const std::string& approver,
                                         bool repeats_in_task);
  // Returns how many more people must approve.
  Result<std::uint32_t> approve(const std::string& approval_id, const std::string& approver, bool repeats_in_task);
  // Returns the id of the task.
  Result<std::string> deny(const std::string& approval_id, const std::string& approver, const std::string& reason,
                           v1::DenyRequest::Then then);
  Result<void> edit(const std::string& approval_id, const std::string& approver, const v1::Action& action);

  void withdraw_task(const std::string& task_id, const std::string& reason);
  void withdraw_all(const std::string& reason);
  // Withdraws all questions and accepts no more.
  void shut_down();

  // A page of the open questions, oldest first, of at most kMaxQuestionBytes: those asked after the question `after`,
  // which may have ended; empty: from the first. kNotFound if `after` is unknown or forgotten.
  Result<v1::ListPendingReply> page(const std::string& after) const;
  // Evidence.challenge of the open questions about the desktop, oldest first.
  std::vector<std::string> challenges() const;
  // Their ids and action texts.
  std::vector<std::pair<std::string, std::string>> in_words() const;

  // Makes waiters read the clock again. Used by tests that advance it.
  void wake();

 private:
  struct Question {
    v1::ApprovalRequest request;
    MonoTime expires;
    Answer answer;
    std::uint64_t number = 0;
    bool all_repeat = true;  // Each approval so far covers the whole task.
    bool open() const { return answer.kind == v1::ApprovalDecision::ANSWER_UNSPECIFIED; }
  };
  struct Ended {
    Answer answer;
    std::uint64_t number = 0;  // Number of the question.
  };
  // Call these with the mutex held.
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
  // The newest ended questions: a late answer gets to know the end, and a list continues after them.
  std::map<std::string, Ended> ended_;
  std::deque<std::string> ended_order_;
};

}  // namespace da::policy
