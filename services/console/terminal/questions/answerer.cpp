#include "services/console/terminal/questions/answerer.h"

#include <termios.h>
#include <unistd.h>

#include <iostream>

#include "lib/base/text.h"
#include "lib/os/process/local_person.h"
#include "services/console/terminal/questions/pending_approval.h"
#include "services/console/terminal/questions/pending_question.h"

namespace da::console {

namespace {

int descriptor_of(Terminal terminal) {
  const bool can_ask = ::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0;
  return can_ask && terminal == Terminal::kAsks ? STDIN_FILENO : -1;
}

}  // namespace

EachKey::EachKey(int terminal) : terminal_(terminal) {
  termios now{};
  if (::tcgetattr(terminal_, &now) != 0) return;
  before_ = now;
  now.c_lflag &= ~static_cast<tcflag_t>(ICANON);
  now.c_cc[VMIN] = 1;
  now.c_cc[VTIME] = 0;
  // Not TCSAFLUSH, which blocks while the terminal's output is stopped (Ctrl+S).
  ::tcsetattr(terminal_, TCSANOW, &now);
}

EachKey::~EachKey() {
  if (!before_) return;
  ::tcsetattr(terminal_, TCSANOW, &*before_);
  ::tcflush(terminal_, TCIFLUSH);
}

Answerer::Answerer(const PolicyClient& policy, const PlannerClient& planner, const ApprovalPictures& pictures,
                   Terminal terminal)
    : policy_(policy),
      planner_(planner),
      pictures_(pictures),
      descriptor_(descriptor_of(terminal)),
      queue_(std::cerr, descriptor_ < 0 ? PendingQueue::Mode::kShows : PendingQueue::Mode::kAsks, system_clock(),
             [this] { discard_typed(); }) {}

void Answerer::update(const v1::ListPendingReply& approvals) {
  std::vector<std::string> ids;
  for (const v1::ApprovalRequest& request : approvals.pending()) ids.push_back(request.approval_id());
  refresh(PendingQueue::Kind::kApproval, ids, [&](std::size_t index) {
    return std::make_unique<PendingApproval>(policy_, pictures_, approvals.pending(static_cast<int>(index)));
  });
}

void Answerer::update(const v1::ListQuestionsReply& questions) {
  std::vector<std::string> ids;
  for (const v1::UserQuestion& question : questions.questions()) ids.push_back(question.question_id());
  refresh(PendingQueue::Kind::kQuestion, ids, [&](std::size_t index) {
    return std::make_unique<PendingQuestion>(planner_, questions.questions(static_cast<int>(index)));
  });
}

void Answerer::refresh(PendingQueue::Kind kind, const std::vector<std::string>& ids, const PendingQueue::Make& make) {
  queue_.refresh(kind, ids, make);
  if (queue_.waits_for_quiet() == each_key_.has_value()) return;
  if (each_key_) {
    each_key_.reset();
  } else {
    each_key_.emplace(descriptor_);
  }
  typed_.clear();
}

// Text that was typed before a question appeared, even half a line, is not its answer.
void Answerer::discard_typed() {
  typed_.clear();
  ::tcflush(descriptor_, TCIFLUSH);
}

void Answerer::read_answer() {
  char buffer[512];
  const ssize_t got = ::read(descriptor_, buffer, sizeof buffer);
  if (got <= 0) {
    each_key_.reset();
    descriptor_ = -1;  // The terminal was closed.
    queue_.ask_nobody();
    return;
  }
  if (queue_.waits_for_quiet()) queue_.disturb();
  typed_.append(buffer, static_cast<std::size_t>(got));
  for (std::size_t end = typed_.find('\n'); end != std::string::npos; end = typed_.find('\n')) {
    const std::string line(trim(typed_.substr(0, end)));
    typed_.erase(0, end + 1);
    take(line);
  }
}

void Answerer::take(const std::string& line) {
  const bool was_command = run_command(line);
  if (queue_.asked() == nullptr) return;
  if (was_command) return queue_.prompt();
  queue_.answer(line);
}

bool Answerer::run_command(const std::string& line) {
  const auto space = line.find(' ');
  const std::string word = fold_case(line.substr(0, space));
  const std::string rest(space == std::string::npos ? "" : trim(line.substr(space + 1)));
  // "pause the music" may be an answer to a model.
  const Pending* asked = queue_.asked();
  const bool asks_for_text = asked != nullptr && asked->takes() == Pending::Takes::kAnyText;
  if (asks_for_text && !rest.empty()) return false;
  if (word == "pause") {
    pause(rest);
  } else if (word == "resume" && asks_for_text) {
    // A malicious model may have asked for this word.
    std::cerr << "while a model asks, this ends no pause; to end it: da-console resume\n";
  } else if (word == "resume" && !queue_.waits_for_quiet()) {
    resume();
  } else {
    return false;
  }
  return true;
}

void Answerer::pause(const std::string& reason) {
  const auto reply = policy_.pause(reason, os::local_person());
  if (!reply) std::cerr << escape_foreign(reply.error().message, 4000) << "\n";
  if (reply && reply->actuator() != "paused") std::cerr << reply->actuator() << "\n";
}

void Answerer::resume() {
  const auto sent = policy_.resume(os::local_person());
  if (!sent) std::cerr << escape_foreign(sent.error().message, 4000) << "\n";
}

}  // namespace da::console
