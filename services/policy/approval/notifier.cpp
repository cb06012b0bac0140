#include "services/policy/approval/notifier.h"

#include <fcntl.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lib/base/text.h"
#include "lib/os/process/child_process.h"
#include "lib/os/unique_fd.h"

namespace da::policy {
namespace {

constexpr Milliseconds kLongestRun{10'000};
// How often a running command and the stop of the policy are polled.
constexpr Milliseconds kPollInterval{100};
// Further questions are dropped.
constexpr std::size_t kMaxQueuedQuestions = 64;
constexpr std::size_t kMostCharacters = 2'000;

std::string question_json(const v1::ApprovalRequest& question, const std::string& goal) {
  const nlohmann::json object = {{"id", question.approval_id()},
                                 {"action", escape_foreign(question.action_text(), kMostCharacters)},
                                 {"rule", question.rule()},
                                 {"reason", escape_foreign(question.reason(), kMostCharacters)},
                                 {"risk", question.risk() == v1::RISK_CRITICAL ? "critical" : "write"},
                                 {"second_factor", question.second_factor()},
                                 {"goal", escape_foreign(goal, kMostCharacters)},
                                 {"unproven_steps", question.unproven_steps()},
                                 {"opened_by", escape_foreign(question.opened_by(), 100)},
                                 {"expires", format_wall(WallTime(Nanoseconds(question.expires_wall_ns())))}};
  return object.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

}  // namespace

Notifier::Notifier(std::vector<std::string> argv) : argv_(std::move(argv)) {
  if (!argv_.empty()) thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void Notifier::notify(const v1::ApprovalRequest& question, const std::string& goal) {
  if (argv_.empty()) return;
  const std::lock_guard hold(mutex_);
  if (waiting_.size() >= kMaxQueuedQuestions) {
    return spdlog::warn("nobody was notified of a question: {} others are queued", waiting_.size());
  }
  waiting_.push_back(question_json(question, goal));
  changed_.notify_one();
}

void Notifier::run(const std::stop_token& stop) {
  while (true) {
    std::string question;
    {
      std::unique_lock hold(mutex_);
      if (!changed_.wait(hold, stop, [this] { return !waiting_.empty(); })) return;
      question = std::move(waiting_.front());
      waiting_.pop_front();
    }
    if (const auto told = run_command(question, stop); !told) {
      spdlog::warn("the command policy.notify failed: {}", told.error().message);
    }
  }
}

// A command that still runs when this returns is killed.
Result<void> Notifier::run_command(const std::string& question, const std::stop_token& stop) const {
  const os::UniqueFd null_device(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  os::Command command;
  command.program = argv_.front();
  command.arguments = {argv_.begin() + 1, argv_.end()};
  command.environment = os::current_environment();
  command.environment.push_back("DESKTOPASSIST_QUESTION=" + question);
  command.output = null_device.get();
  ASSIGN_OR_RETURN(auto child, os::ChildProcess::start(command));
  const MonoTime deadline = system_clock().now() + kLongestRun;
  while (!stop.stop_requested() && system_clock().now() < deadline) {
    const auto ended = child.wait(std::min(deadline, system_clock().now() + kPollInterval));
    if (ended && child.exit_code() != 0) return Error{Code::kAborted, "it ended with " + *ended};
    if (ended) return ok();
  }
  return Error{Code::kDeadlineExceeded, "it was stopped after " + std::to_string(kLongestRun.count()) + " ms"};
}

}  // namespace da::policy
