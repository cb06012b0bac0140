#include "services/planner/task/questions.h"

#include <algorithm>

#include "lib/base/id.h"
#include "lib/base/text.h"

namespace da::planner {
namespace {

constexpr std::size_t kMaxNameBytes = 100;
// Ids of recent questions are not reused, so that a late answer cannot reach another question.
constexpr std::size_t kRememberedQuestions = 500;
constexpr Milliseconds kLongestExpiry = std::chrono::hours(366 * 24);

Error invalid(std::string message) { return {Code::kInvalidArgument, std::move(message)}; }

Result<void> check_answer(const v1::AnswerQuestionRequest& request) {
  const auto characters = decode_utf8(request.answer());
  if (!characters) return invalid("the answer is not valid UTF-8");
  if (shows_nothing(request.answer())) return invalid("the answer is empty");
  if (characters->size() > kMaxAnswerCharacters) {
    return invalid("the answer has " + std::to_string(characters->size()) + " characters; at most " +
                   std::to_string(kMaxAnswerCharacters) + " are taken");
  }
  const std::string& by = request.by();
  if (shows_nothing(by) || by.size() > kMaxNameBytes || !is_valid_utf8(by)) {
    return invalid("an answer needs the name of who gives it, of at most " + std::to_string(kMaxNameBytes) + " bytes");
  }
  return ok();
}

}  // namespace

Result<std::optional<std::string>> Questions::ask(const Question& question, std::stop_token stop) {
  if (stop.stop_requested()) return Error{Code::kCancelled, "cancelled before the question was asked"};
  const auto asked = open(question);
  v1::UserQuestion fact = asked->question;
  bus_.publish(fact, question.task_id, question.step_id);
  v1::UserAnswer ended = await(asked, stop);
  bus_.publish(ended, question.task_id, ended.question_id());
  if (ended.answered()) return std::optional(ended.answer());
  if (stop.stop_requested()) return Error{Code::kCancelled, "cancelled while the question waited for an answer"};
  return std::optional<std::string>();
}

Questions::OpenList::iterator Questions::open(const Question& question) {
  const std::lock_guard lock(mutex_);
  const MonoTime now = clock_.now();
  const MonoTime expires = std::min(now + expiry_, question.time_limit);
  std::string id = random_short_id();
  while (is_used(id)) id = random_short_id();
  v1::UserQuestion asked;
  asked.set_question_id(id);
  asked.set_task_id(question.task_id);
  asked.set_question(question.text);
  asked.set_expires_wall_ns((clock_.wall_now() + (expires - now)).time_since_epoch().count());
  return open_.insert(open_.end(), Open{std::move(asked), expires, std::nullopt});
}

v1::UserAnswer Questions::await(OpenList::iterator open, std::stop_token stop) {
  std::unique_lock lock(mutex_);
  while (can_be_answered(*open) && !stop.stop_requested()) {
    changed_.wait_for(lock, stop, open->expires - clock_.now(),
                      [&, seen = wakes_] { return open->answer.has_value() || wakes_ != seen; });
  }
  v1::UserAnswer ended;
  ended.set_question_id(open->question.question_id());
  ended.set_answered(open->answer.has_value());
  if (open->answer) {
    ended.set_answer(open->answer->answer());
    ended.set_by(open->answer->by());
  }
  const char* became = ended.answered() ? "was answered already" : "was not answered in time, or its task ended";
  ended_.emplace_back(ended.question_id(), became);
  if (ended_.size() > kRememberedQuestions) ended_.pop_front();
  open_.erase(open);
  return ended;
}

Result<void> Questions::answer(const v1::AnswerQuestionRequest& request) {
  RETURN_IF_ERROR(check_answer(request));
  const std::string id = fold_case(trim(request.question_id()));
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(open_, id, [](const Open& open) { return open.question.question_id(); });
    if (found == open_.end() || !can_be_answered(*found)) return not_waiting(id);
    found->answer = request;
  }
  changed_.notify_all();
  return ok();
}

v1::ListQuestionsReply Questions::list() const {
  const std::lock_guard lock(mutex_);
  v1::ListQuestionsReply reply;
  for (const Open& open : open_) {
    if (can_be_answered(open)) *reply.add_questions() = open.question;
  }
  return reply;
}

void Questions::wake() {
  {
    const std::lock_guard lock(mutex_);
    ++wakes_;
  }
  changed_.notify_all();
}

bool Questions::can_be_answered(const Open& open) const { return !open.answer && clock_.now() < open.expires; }

bool Questions::is_used(const std::string& question_id) const {
  const auto is_open = [&](const Open& open) { return open.question.question_id() == question_id; };
  const auto has_ended = [&](const auto& ended) { return ended.first == question_id; };
  return std::ranges::any_of(open_, is_open) || std::ranges::any_of(ended_, has_ended);
}

Error Questions::not_waiting(const std::string& question_id) const {
  const auto ended = std::ranges::find(ended_, question_id, [](const auto& entry) { return entry.first; });
  const auto open = std::ranges::find(open_, question_id, [](const Open& one) { return one.question.question_id(); });
  const std::string id = "\"" + escape_foreign(question_id, 40) + "\"";
  if (ended != ended_.end()) return {Code::kNotFound, "question " + id + " " + ended->second};
  // It has ended, but ask() has not removed it yet.
  if (open != open_.end()) {
    return {Code::kNotFound, "question " + id + (open->answer ? " was answered already" : " was not answered in time")};
  }
  return {Code::kNotFound, "no question is called " + id + "; list those that are pending"};
}

Result<Milliseconds> read_question_expiry(const service::Config& config) {
  ASSIGN_OR_RETURN(const auto given, config.find_integer("planner.question_expiry_ms"));
  if (!given) return kDefaultQuestionExpiry;
  if (*given < 1 || *given > kLongestExpiry.count()) {
    return invalid("planner.question_expiry_ms must be from 1 to " + std::to_string(kLongestExpiry.count()));
  }
  return Milliseconds(*given);
}

}  // namespace da::planner
