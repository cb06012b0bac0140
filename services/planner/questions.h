// The questions of tasks that wait for a person's answer (the tool ask_user). Each is published when it opens and again
// when it ends, and ends once: answered, expired, or withdrawn by a stop request.
//
//   auto answer = questions.ask({task_id, step_id, "Which file?", time_limit}, stop);   // the task's thread; blocks
//   questions.answer(request);                                                          // any other: a person's word
//
// Any thread; a waiting question holds none but the one that asked. Expiry is by the clock that it is given. What it is
// given must outlive it.
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

// As long as an approval waits.
inline constexpr Milliseconds kDefaultQuestionExpiry{120'000};
inline constexpr std::size_t kMaxAnswerCharacters = 4'000;

class Questions {
 public:
  Questions(bus::Publisher& bus, const Clock& clock, Milliseconds expiry) : bus_(bus), clock_(clock), expiry_(expiry) {}

  struct Question {
    std::string task_id;
    std::string step_id;  // What asks.
    std::string text;
    MonoTime time_limit;  // Of the task; no question outlives it.
  };

  // The person's words; nullopt where nobody answered in time. kCancelled after a stop request.
  Result<std::optional<std::string>> ask(const Question& question, std::stop_token stop);

  // kInvalidArgument (no text, too long, not UTF-8, nobody's name), kNotFound (no such question waits; the error says
  // what became of one that did).
  Result<void> answer(const v1::AnswerQuestionRequest& request);

  // Those that can still be answered, oldest first.
  v1::ListQuestionsReply list() const;

  Milliseconds expiry() const { return expiry_; }

  // Makes waiters look at the clock again; a clock that a test advances does not wake anyone.
  void wake();

 private:
  struct Open {
    v1::UserQuestion question;
    MonoTime expires;
    std::optional<v1::AnswerQuestionRequest> answer;
  };
  using OpenList = std::list<Open>;  // Whoever waits keeps its place in it.

  OpenList::iterator open(const Question& question);
  v1::UserAnswer await(OpenList::iterator open, std::stop_token stop);
  // With the lock held.
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
  std::deque<std::pair<std::string, std::string>> ended_;  // Ids of late, with what became of them.
};

// planner.question_expiry_ms, from 1 ms to a year.
Result<Milliseconds> read_question_expiry(const service::Config& config);

}  // namespace da::planner
