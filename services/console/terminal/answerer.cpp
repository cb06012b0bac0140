#include "services/console/terminal/answerer.h"

#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "lib/base/text.h"
#include "services/console/terminal/local_person.h"
#include "services/console/terminal/pending_approval.h"
#include "services/console/terminal/pending_question.h"

namespace da::console {

Answerer::Answerer(const PolicyClient& policy, const PlannerClient& planner) : policy_(policy), planner_(planner) {
  if (::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0) descriptor_ = STDIN_FILENO;
}

void Answerer::update(const v1::ListPendingReply& approvals) {
  std::vector<std::string> ids;
  for (const v1::ApprovalRequest& request : approvals.pending()) ids.push_back(request.approval_id());
  refresh(Kind::kApproval, ids,
          [&](int index) { return std::make_unique<PendingApproval>(policy_, approvals.pending(index)); });
}

void Answerer::update(const v1::ListQuestionsReply& questions) {
  std::vector<std::string> ids;
  for (const v1::UserQuestion& question : questions.questions()) ids.push_back(question.question_id());
  refresh(Kind::kQuestion, ids,
          [&](int index) { return std::make_unique<PendingQuestion>(planner_, questions.questions(index)); });
}

void Answerer::refresh(Kind kind, const std::vector<std::string>& ids,
                       const std::function<std::unique_ptr<Pending>(int index)>& make) {
  const Pending* asked_before = waiting_.empty() ? nullptr : waiting_.front().pending.get();
  // Kept until the end, so that nothing new is mistaken for it.
  std::deque<Waiting> before = std::move(waiting_);
  waiting_.clear();
  for (Waiting& known : before) {
    const bool stays = known.kind != kind || std::ranges::find(ids, known.pending->id()) != ids.end();
    if (stays) waiting_.push_back({known.kind, std::move(known.pending)});
  }
  std::string added;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!shown_.insert({kind, ids[i]}).second) continue;
    waiting_.push_back({kind, make(static_cast<int>(i))});
    const Pending& pending = *waiting_.back().pending;
    added += (kind == Kind::kApproval ? " approval " : " question ") + escape_foreign(pending.id(), 40);
    if (descriptor_ < 0) std::cerr << pending.text() << "\n  answer with: " << pending.commands() << "\n";
  }
  if (descriptor_ < 0 || waiting_.empty()) return;
  if (waiting_.front().pending.get() != asked_before) return ask();
  if (added.empty()) return;
  std::cerr << "\nafter this comes" << added << "\n";
  prompt();
}

// Each is shown when its turn comes: what stands last on the screen is what a line answers.
void Answerer::ask() {
  std::cerr << waiting_.front().pending->text() << "\n";
  prompt();
}

// What was typed before the question was seen, a begun line too, was meant for another question, or for none.
void Answerer::prompt() {
  typed_.clear();
  ::tcflush(descriptor_, TCIFLUSH);
  std::cerr << waiting_.front().pending->prompt() << std::flush;
}

void Answerer::read_answer() {
  char buffer[512];
  const ssize_t got = ::read(descriptor_, buffer, sizeof buffer);
  if (got <= 0) {
    descriptor_ = -1;  // The terminal was closed: nobody is left to ask.
    return;
  }
  typed_.append(buffer, static_cast<std::size_t>(got));
  for (std::size_t end = typed_.find('\n'); end != std::string::npos; end = typed_.find('\n')) {
    const std::string line(trim(typed_.substr(0, end)));
    typed_.erase(0, end + 1);
    take(line);
  }
}

void Answerer::take(const std::string& line) {
  const bool heeded = heed(line);
  if (waiting_.empty()) return;
  if (heeded || waiting_.front().pending->answer(line) == Pending::Then::kAskAgain) return prompt();
  waiting_.pop_front();
  if (!waiting_.empty()) ask();
}

bool Answerer::heed(const std::string& line) {
  const auto space = line.find(' ');
  const std::string word = fold_case(line.substr(0, space));
  const std::string rest(space == std::string::npos ? "" : trim(line.substr(space + 1)));
  // "pause the music" may be an answer.
  const bool asks_for_text = !waiting_.empty() && waiting_.front().pending->takes() == Pending::Takes::kAnyText;
  if (asks_for_text && !rest.empty()) return false;
  Result<void> sent;
  if (word == "pause") {
    const auto reply = policy_.pause(rest, local_person());
    if (!reply) sent = reply.error();
    if (reply && reply->actuator() != "paused") std::cerr << reply->actuator() << "\n";
  } else if (word == "resume") {
    sent = policy_.resume(local_person());
  } else {
    return false;
  }
  if (!sent) std::cerr << sent.error().message << "\n";
  return true;
}

}  // namespace da::console
