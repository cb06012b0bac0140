// The questions that wait for a person. Each is asked once, and ends once: approved, denied, expired or withdrawn.
//
//   auto question = approvals.ask(std::move(request), expiry);      // gets its id; now it can be answered
//   Answer answer = approvals.wait(question->approval_id(), stop);  // blocks until it ends
//
// wait() must be called once for each question. Expiry is by the clock that it is given. Any thread.
// Answering: kNotFound (no such question), kFailedPrecondition (it has ended; the error says how and by whom),
// kInvalidArgument (nobody's name).
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "da/v1/verdict.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::policy {

inline constexpr Milliseconds kDefaultApprovalExpiry{120'000};

struct Answer {
  v1::ApprovalDecision::Answer kind = v1::ApprovalDecision::ANSWER_UNSPECIFIED;
  std::string approver;
  std::string reason;
};

class Approvals {
 public:
  explicit Approvals(const Clock& clock) : clock_(clock) {}

  // Fills in approval_id and expires_wall_ns; the header's task_id must be set. kResourceExhausted where too many
  // questions wait already; kUnavailable after shut_down().
  Result<v1::ApprovalRequest> ask(v1::ApprovalRequest request, Milliseconds expiry);

  // A stop request withdraws the question.
  Answer wait(const std::string& approval_id, std::stop_token stop);

  Result<void> approve(const std::string& approval_id, const std::string& approver);
  Result<void> deny(const std::string& approval_id, const std::string& approver, const std::string& reason);

  void withdraw_task(const std::string& task_id, const std::string& reason);
  void withdraw_all(const std::string& reason);
  // Withdraws all, and takes no more.
  void shut_down();

  // Those that can still be answered, oldest first.
  std::vector<v1::ApprovalRequest> pending() const;

  // Makes waiters look at the clock again; a clock that a test advances does not wake anyone.
  void wake();

 private:
  struct Question {
    v1::ApprovalRequest request;
    MonoTime expires;
    Answer answer;
    std::uint64_t number = 0;
    bool open() const { return answer.kind == v1::ApprovalDecision::ANSWER_UNSPECIFIED; }
  };
  Result<void> answer(const std::string& approval_id, Answer answer);
  std::string unused_id() const;
  void expire_if_due(Question& question) const;
  void withdraw_open(const std::string& task_id, const std::string& reason);
  void remember(const std::string& approval_id, const Answer& answer);

  const Clock& clock_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::uint64_t wakes_ = 0;
  std::uint64_t asked_ = 0;
  bool shut_down_ = false;
  std::map<std::string, Question> questions_;
  std::map<std::string, Answer> ended_;  // So that a late answer is told what became of the question.
  std::deque<std::string> ended_order_;
};

}  // namespace da::policy
