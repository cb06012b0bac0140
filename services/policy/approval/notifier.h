// Notifies people who are away from the console: runs the operator's command for each question, one at a time, on its
// own thread. The command is an argv, never a shell line. Its environment variable DESKTOPASSIST_QUESTION is a JSON
// object with id, action, rule, reason, risk, second_factor, goal, opened_by and expires. A command that fails or hangs
// (10 s) is logged and stopped; the question stays. Any thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "da/v1/verdict.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::policy {

class Notifier {
 public:
  // An empty argv runs nothing.
  explicit Notifier(std::vector<std::string> argv);

  void notify(const v1::ApprovalRequest& question, const std::string& goal);

 private:
  void run(const std::stop_token& stop);
  Result<void> run_command(const std::string& question, const std::stop_token& stop) const;

  const std::vector<std::string> argv_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::string> waiting_;
  std::jthread thread_;  // Last: it uses the other members.
};

}  // namespace da::policy
