// Tells people who are not at the console that a question waits: runs the operator's command for each, one at a time,
// on a thread of its own. The command is an argv, never a shell line; the question is in its environment as
// DESKTOPASSIST_QUESTION, a JSON object with id, action, rule, reason, risk, second_factor, goal, opened_by and
// expires. A command that fails or hangs is logged and stopped, and changes nothing. Any thread.
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
  // An empty argv tells nobody.
  explicit Notifier(std::vector<std::string> argv);

  void tell(const v1::ApprovalRequest& question, const std::string& goal);

 private:
  void run(const std::stop_token& stop);
  Result<void> run_command(const std::string& question, const std::stop_token& stop) const;

  const std::vector<std::string> argv_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::string> waiting_;
  std::jthread thread_;  // Last: it uses the others.
};

}  // namespace da::policy
