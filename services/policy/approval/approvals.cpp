#include "services/policy/approval/approvals.h"

#include <algorithm>

#include "lib/base/id.h"
#include "lib/base/text.h"
#include "services/policy/judgement/confusables.h"

namespace da::policy {
namespace {

// Far more than a person can answer: a planner that asks more is broken.
constexpr std::size_t kMaxOpenQuestions = 100;
constexpr std::size_t kMaxOpenQuestionsOfTask = 4;
constexpr std::size_t kRememberedAnswers = 500;
constexpr std::size_t kMaxPersonBytes = 100;

std::string end_of(const Answer& answer) {
  const std::string by = answer.approver.empty() ? "" : " by " + escape_foreign(answer.approver, kMaxPersonBytes);
  switch (answer.kind) {
    case v1::ApprovalDecision::ANSWER_APPROVED: return "was approved" + by;
    case v1::ApprovalDecision::ANSWER_DENIED: return "was denied" + by;
    case v1::ApprovalDecision::ANSWER_SKIPPED: return "was skipped" + by;
    case v1::ApprovalDecision::ANSWER_EDITED: return "was edited" + by + ", and is judged again";
    case v1::ApprovalDecision::ANSWER_EXPIRED: return "expired before anyone answered";
    default: return "was withdrawn: " + answer.reason;
  }
}

// "ada", "Ada " and "аda" with a Cyrillic letter look like one person.
bool same_person(const std::string& a, const std::string& b) {
  const auto names = [](const std::string& name) {
    std::string plain = fold_case(trim(name));
    auto all = readings_of(plain);
    all.push_back(std::move(plain));
    return all;
  };
  const auto of_b = names(b);
  return std::ranges::any_of(names(a), [&](const auto& name) { return std::ranges::find(of_b, name) != of_b.end(); });
}

Error ended_already(const std::string& approval_id, const Answer& answer) {
  return {Code::kFailedPrecondition, "question " + approval_id + " has ended: it " + end_of(answer)};
}

}  // namespace

Result<void> Approvals::room_for(const std::string& task_id) const {
  const std::lock_guard hold(mutex_);
  return room_with_lock(task_id);
}

Result<void> Approvals::room_with_lock(const std::string& task_id) const {
  if (shut_down_) return Error{Code::kUnavailable, "the policy is shutting down and asks no more questions"};
  if (questions_.size() >= kMaxOpenQuestions) {
    return Error{Code::kResourceExhausted, std::to_string(kMaxOpenQuestions) +
                                               " questions are already waiting for an answer; answer or deny some"};
  }
  const auto of_task = std::ranges::count_if(
      questions_, [&](const auto& entry) { return entry.second.request.header().task_id() == task_id; });
  if (of_task >= static_cast<std::ptrdiff_t>(kMaxOpenQuestionsOfTask)) {
    return Error{Code::kResourceExhausted,
                 std::to_string(kMaxOpenQuestionsOfTask) + " questions of this task are already waiting for an answer"};
  }
  return ok();
}

Result<v1::ApprovalRequest> Approvals::ask(v1::ApprovalRequest request, Milliseconds expiry) {
  const std::lock_guard hold(mutex_);
  RETURN_IF_ERROR(room_with_lock(request.header().task_id()));
  request.set_approvals_needed(request.risk() == v1::RISK_CRITICAL ? rules_.people_for_critical : 1);
  request.set_approval_id(unused_id());
  request.set_expires_wall_ns((clock_.wall_now() + expiry).time_since_epoch().count());
  if (request.ByteSizeLong() > kMaxQuestionBytes) {
    return Error{Code::kResourceExhausted, "the question takes " + std::to_string(request.ByteSizeLong()) +
                                               " bytes (at most " + std::to_string(kMaxQuestionBytes) +
                                               "); submit a smaller step"};
  }
  questions_[request.approval_id()] = Question{request, clock_.now() + expiry, {}, ++asked_, true};
  return request;
}

Answer Approvals::wait(const std::string& approval_id, std::stop_token stop) {
  std::unique_lock hold(mutex_);
  const auto found = questions_.find(approval_id);
  if (found == questions_.end()) return {v1::ApprovalDecision::ANSWER_WITHDRAWN, "", "no such question"};
  Question& question = found->second;
  while (question.open()) {
    if (stop.stop_requested()) {
      question.answer = {v1::ApprovalDecision::ANSWER_WITHDRAWN, "", "the step was cancelled"};
      break;
    }
    expire_if_due(question);
    if (!question.open()) break;
    changed_.wait_for(hold, stop, question.expires - clock_.now(),
                      [&, seen = wakes_] { return !question.open() || wakes_ != seen; });
  }
  const Answer answer = question.answer;
  const std::uint64_t number = question.number;
  questions_.erase(found);
  remember(approval_id, {answer, number});
  return answer;
}

Result<v1::ApprovalRequest> Approvals::approvable(const std::string& approval_id, const std::string& approver,
                                                  bool repeats_in_task) {
  const std::lock_guard hold(mutex_);
  ASSIGN_OR_RETURN(const Question* question, approvable_question(approval_id, approver, repeats_in_task));
  return question->request;
}

Result<std::uint32_t> Approvals::approve(const std::string& approval_id, const std::string& approver,
                                         bool repeats_in_task) {
  const std::lock_guard hold(mutex_);
  ASSIGN_OR_RETURN(Question * question, approvable_question(approval_id, approver, repeats_in_task));
  v1::ApprovalRequest& request = question->request;
  request.add_approved_by(approver);
  question->all_repeat = question->all_repeat && repeats_in_task;
  const auto given = static_cast<std::uint32_t>(request.approved_by_size());
  if (given < request.approvals_needed()) return request.approvals_needed() - given;
  Answer answer{.kind = v1::ApprovalDecision::ANSWER_APPROVED};
  for (const std::string& name : request.approved_by()) answer.approver += (answer.approver.empty() ? "" : ", ") + name;
  answer.repeats_in_task = question->all_repeat;
  end(*question, std::move(answer));
  return 0;
}

Result<std::string> Approvals::deny(const std::string& approval_id, const std::string& approver,
                                    const std::string& reason, v1::DenyRequest::Then then) {
  const std::lock_guard hold(mutex_);
  ASSIGN_OR_RETURN(Question * question, open_question(approval_id, approver));
  const bool skips = then == v1::DenyRequest::THEN_SKIP;
  end(*question, {.kind = skips ? v1::ApprovalDecision::ANSWER_SKIPPED : v1::ApprovalDecision::ANSWER_DENIED,
                  .approver = approver,
                  .reason = reason,
                  .stops_task = then == v1::DenyRequest::THEN_STOP_TASK});
  return question->request.header().task_id();
}

Result<void> Approvals::edit(const std::string& approval_id, const std::string& approver, const v1::Action& action) {
  const std::lock_guard hold(mutex_);
  ASSIGN_OR_RETURN(Question * question, answerable(approval_id, approver));
  end(*question, {.kind = v1::ApprovalDecision::ANSWER_EDITED, .approver = approver, .edited = action});
  return ok();
}

Result<Approvals::Question*> Approvals::open_question(const std::string& approval_id, const std::string& person) {
  const std::string id = fold_case(trim(approval_id));
  if (trim(person).empty() || person.size() > kMaxPersonBytes) {
    return Error{Code::kInvalidArgument, "an answer needs the name of the person who gives it, at most " +
                                             std::to_string(kMaxPersonBytes) + " bytes"};
  }
  const auto found = questions_.find(id);
  if (found == questions_.end()) {
    if (const auto ended = ended_.find(id); ended != ended_.end()) return ended_already(id, ended->second.answer);
    return Error{Code::kNotFound,
                 "no question is called \"" + escape_foreign(id, 40) + "\"; list the pending questions"};
  }
  Question& question = found->second;
  expire_if_due(question);
  if (!question.open()) return ended_already(id, question.answer);
  return &question;
}

Result<Approvals::Question*> Approvals::answerable(const std::string& approval_id, const std::string& person) {
  ASSIGN_OR_RETURN(Question * question, open_question(approval_id, person));
  if (!rules_.opener_may_answer && same_person(person, question->request.opened_by())) {
    return Error{Code::kPermissionDenied,
                 escape_foreign(person, kMaxPersonBytes) + " opened the task, so somebody else must answer"};
  }
  return question;
}

Result<Approvals::Question*> Approvals::approvable_question(const std::string& approval_id, const std::string& person,
                                                            bool repeats_in_task) {
  ASSIGN_OR_RETURN(Question * question, answerable(approval_id, person));
  if (repeats_in_task && question->request.risk() == v1::RISK_CRITICAL) {
    return Error{Code::kInvalidArgument, "a critical step is approved each time, not for the whole task"};
  }
  const auto& given = question->request.approved_by();
  const auto is_theirs = [&](const std::string& name) { return same_person(name, person); };
  if (std::ranges::none_of(given, is_theirs)) return question;
  return Error{Code::kAlreadyExists, escape_foreign(person, kMaxPersonBytes) +
                                         " has approved it already; another person must approve it too"};
}

void Approvals::end(Question& question, Answer answer) {
  question.answer = std::move(answer);
  changed_.notify_all();
}

void Approvals::withdraw_task(const std::string& task_id, const std::string& reason) {
  const std::lock_guard hold(mutex_);
  withdraw_open(task_id, reason);
}

void Approvals::withdraw_all(const std::string& reason) {
  const std::lock_guard hold(mutex_);
  withdraw_open("", reason);
}

void Approvals::shut_down() {
  const std::lock_guard hold(mutex_);
  shut_down_ = true;
  withdraw_open("", "the policy is shutting down");
}

// An empty task id means every task.
void Approvals::withdraw_open(const std::string& task_id, const std::string& reason) {
  for (auto& [id, question] : questions_) {
    if (!question.open() || (!task_id.empty() && question.request.header().task_id() != task_id)) continue;
    question.answer = {v1::ApprovalDecision::ANSWER_WITHDRAWN, "", reason};
  }
  changed_.notify_all();
}

std::vector<const Approvals::Question*> Approvals::open_questions() const {
  std::vector<const Question*> open;
  for (const auto& [id, question] : questions_) {
    if (question.open() && clock_.now() < question.expires) open.push_back(&question);
  }
  std::ranges::sort(open, {}, &Question::number);
  return open;
}

std::optional<std::uint64_t> Approvals::number_of(const std::string& approval_id) const {
  if (const auto found = questions_.find(approval_id); found != questions_.end()) return found->second.number;
  if (const auto found = ended_.find(approval_id); found != ended_.end()) return found->second.number;
  return std::nullopt;
}

Result<v1::ListPendingReply> Approvals::page(const std::string& after) const {
  const std::lock_guard hold(mutex_);
  const auto last = after.empty() ? std::optional<std::uint64_t>(0) : number_of(after);
  if (!last) {
    return Error{Code::kNotFound,
                 "no question is called \"" + escape_foreign(after, 40) + "\"; list from the first page"};
  }
  v1::ListPendingReply reply;
  std::size_t bytes = 0;
  for (const Question* question : open_questions()) {
    if (question->number <= *last) continue;
    constexpr std::size_t kFieldHeaderBytes = 8;  // Field number and length of one question in the reply.
    bytes += question->request.ByteSizeLong() + kFieldHeaderBytes;
    reply.set_more(reply.pending_size() > 0 && bytes > kMaxQuestionBytes);
    if (reply.more()) break;
    *reply.add_pending() = question->request;
  }
  return reply;
}

std::vector<std::string> Approvals::challenges() const {
  const std::lock_guard hold(mutex_);
  std::vector<std::string> challenges;
  for (const Question* question : open_questions()) {
    const std::string& challenge = question->request.evidence().challenge();
    if (!challenge.empty()) challenges.push_back(challenge);
  }
  return challenges;
}

std::vector<std::pair<std::string, std::string>> Approvals::in_words() const {
  const std::lock_guard hold(mutex_);
  std::vector<std::pair<std::string, std::string>> words;
  for (const Question* question : open_questions()) {
    words.emplace_back(question->request.approval_id(), question->request.action_text());
  }
  return words;
}

void Approvals::wake() {
  const std::lock_guard hold(mutex_);
  ++wakes_;
  changed_.notify_all();
}

std::string Approvals::unused_id() const {
  std::string id = random_short_id();
  while (questions_.contains(id) || ended_.contains(id)) id = random_short_id();
  return id;
}

void Approvals::expire_if_due(Question& question) const {
  if (question.open() && clock_.now() >= question.expires) question.answer.kind = v1::ApprovalDecision::ANSWER_EXPIRED;
}

void Approvals::remember(const std::string& approval_id, Ended ended) {
  ended_[approval_id] = std::move(ended);
  ended_order_.push_back(approval_id);
  if (ended_order_.size() <= kRememberedAnswers) return;
  ended_.erase(ended_order_.front());
  ended_order_.pop_front();
}

}  // namespace da::policy
