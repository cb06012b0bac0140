// Questions of the tool ask_user that wait for a person's answer. Each is published when it opens and when it ends. It
// ends once: answered, expired, or withdrawn by a stop request.
//
//   auto answer = questions.ask({task_id, step_id, "Which file?", time_limit}, stop);   // the task's thread; blocks
//   questions.answer(request);                                                          // any other thread
//
// Any thread; only ask() blocks. Questions expire by `clock`. Bus and clock must outlive the object.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <list>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "da/v1/planner_rpc.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/bus/publisher.h"
#include "lib/service/config.h"

namespace da::planner {

// The same as the default expiry of approvals.
inline constexpr Milliseconds kDefaultQuestionExpiry{120'000};
inline constexpr std::size_t kMaxAnswerCharacters = 4'000;

class Questions {
 public:
  Questions(bus::Publisher& bus, const Clock& clock, Milliseconds expiry) : bus_(bus), clock_(clock), expiry_(expiry) {}

  struct Question {
    std::string task_id;
    std::string step_id;  // The ask_user step.
    std::string text;
    MonoTime time_limit;  // The task's; no question outlives it.
  };

  // The person's answer; nullopt after expiry. kCancelled after a stop request.
  Result<std::optional<std::string>> ask(const Question& question, std::stop_token stop);

  // kInvalidArgument: the answer is empty, too long or not UTF-8, or `by` is empty. kNotFound: no such question waits;
  // the error says how it ended, if it existed.
  Result<void> answer(const v1::AnswerQuestionRequest& request);

  // The questions that can still be answered, oldest first.
  v1::ListQuestionsReply list() const;

  Milliseconds expiry() const { return expiry_; }

  // Makes ask() read the clock again after a test has advanced it.
  void wake();

 private:
  struct Open {
    v1::UserQuestion question;
    MonoTime expires;
    std::optional<v1::AnswerQuestionRequest> answer;
  };
  using OpenList = std::list<Open>;  // A list, because each waiting ask() keeps an iterator.

  OpenList::iterator open(const Question& question);
  v1::UserAnswer await(OpenList::iterator open, std::stop_token stop);
  // Callers hold mutex_.
  bool can_be_answered(const Open& open) const;
  bool is_used(const std::string& question_id) const;
  Error not_waiting(const std::string& question_id) const;

  bus::Publisher& bus_;
  const Clock& clock_;
  const Milliseconds expiry_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::uint64_t wakes_ = 0;
  OpenList open_;                                          // Oldest first.
  std::deque<std::pair<std::string, std::string>> ended_;  // The last ids, and how each question ended.
};

// planner.question_expiry_ms, from 1 ms to a year.
Result<Milliseconds> read_question_expiry(const service::Config& config);

}  // namespace da::planner
