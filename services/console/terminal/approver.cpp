#include "services/console/terminal/approver.h"

#include <pwd.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "lib/base/text.h"
#include "services/console/terminal/approval_picture.h"
#include "services/console/terminal/event_text.h"

namespace da::console {

std::string local_person() {
  const passwd* entry = ::getpwuid(::geteuid());
  return (entry != nullptr ? std::string(entry->pw_name) : std::to_string(::geteuid())) + "@console";
}

Approver::Approver(const PolicyClient& policy) : policy_(policy) {
  if (::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0) descriptor_ = STDIN_FILENO;
}

void Approver::update(const v1::ListPendingReply& pending) {
  const std::string asked_before = waiting_.empty() ? "" : waiting_.front().approval_id();
  std::erase_if(waiting_, [&](const v1::ApprovalRequest& known) {
    return std::ranges::none_of(pending.pending(), [&](const v1::ApprovalRequest& request) {
      return request.approval_id() == known.approval_id();
    });
  });
  for (const v1::ApprovalRequest& request : pending.pending()) {
    if (!shown_.insert(request.approval_id()).second) continue;
    waiting_.push_back(request);
    std::cerr << approval_text(request, keep_picture(request), system_clock().wall_now()) << "\n";
    if (descriptor_ < 0) {
      std::cerr << "  answer with: da-console approve " << request.approval_id() << "   or: da-console deny "
                << request.approval_id() << " --reason \"...\"\n";
    }
  }
  if (waiting_.empty() || waiting_.front().approval_id() == asked_before) return;
  // What was typed before the question was seen, a begun line too, does not answer it.
  if (descriptor_ >= 0) ::tcflush(descriptor_, TCIFLUSH);
  typed_.clear();
  prompt();
}

// What was typed so far was meant for another question, or for none.
void Approver::prompt() {
  typed_.clear();
  if (descriptor_ >= 0) {
    ::tcflush(descriptor_, TCIFLUSH);
    const v1::ApprovalRequest& asked = waiting_.front();
    std::cerr << "approve " << asked.approval_id() << "? [" << (asked.second_factor() ? "yes CODE" : "yes")
              << (asked.risk() == v1::RISK_CRITICAL ? "" : " / task") << " / no / no REASON / skip / stop] "
              << std::flush;
  }
}

void Approver::read_answer() {
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
    answer(line);
  }
}

bool Approver::heed(const std::string& word, const std::string& rest) {
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

// "task" approves for the whole task, "skip" goes on without the step, "stop" denies and ends the task.
void Approver::answer(const std::string& line) {
  const auto space = line.find(' ');
  const std::string word = fold_case(line.substr(0, space));
  const std::string rest(space == std::string::npos ? "" : trim(line.substr(space + 1)));
  const bool heeded = heed(word, rest);
  if (waiting_.empty()) return;
  if (heeded) return prompt();
  Result<void> sent;
  if (word == "y" || word == "yes" || word == "task") {
    sent = approve(rest, word == "task");
  } else if (word == "n" || word == "no") {
    sent = deny(rest, v1::DenyRequest::THEN_UNSPECIFIED);
  } else if (word == "skip") {
    sent = deny(rest, v1::DenyRequest::THEN_SKIP);
  } else if (word == "stop") {
    sent = deny(rest, v1::DenyRequest::THEN_STOP_TASK);
  } else {
    return prompt();
  }
  if (!sent) {
    std::cerr << sent.error().message << "\n";
    // A wrong code, say: the question is still open.
    if (sent.error().code != Code::kNotFound && sent.error().code != Code::kFailedPrecondition) return prompt();
  }
  waiting_.pop_front();
  if (!waiting_.empty()) prompt();
}

Result<void> Approver::approve(const std::string& code, bool for_task) const {
  v1::ApproveRequest request;
  request.set_approval_id(waiting_.front().approval_id());
  request.set_approver(local_person());
  request.set_code(code);
  request.set_repeats_in_task(for_task);
  ASSIGN_OR_RETURN(const auto reply, policy_.approve(request));
  if (reply.approvals_missing() > 0) std::cerr << reply.approvals_missing() << " more must approve it\n";
  return ok();
}

Result<void> Approver::deny(const std::string& reason, v1::DenyRequest::Then then) const {
  v1::DenyRequest request;
  request.set_approval_id(waiting_.front().approval_id());
  request.set_approver(local_person());
  request.set_reason(reason);
  request.set_then(then);
  return policy_.deny(request);
}

}  // namespace da::console
