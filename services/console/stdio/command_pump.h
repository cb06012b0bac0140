// Passes the commands of a script from one descriptor to a task, one after another, and writes each answer, one a line,
// to another descriptor. Does so on its own thread; public members: owner's thread. At the end of the input, and after
// "terminate", it tells the planner that there are no more commands, so that the task ends. If nobody reads the answers
// any more, it cancels the task.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include "da/v1/planner_rpc.pb.h"
#include "lib/base/result.h"
#include "lib/os/unique_fd.h"
#include "services/console/session/clients_rpc.h"
#include "services/console/stdio/line_reader.h"

namespace da::console {

class CommandPump {
 public:
  // Does not own the descriptors. The planner client must outlive the object.
  CommandPump(const PlannerClient& planner, std::string task_id, int in, int out);
  // Waits until the answer to the open command is written, or cannot be.
  ~CommandPump();

  // The task has ended: reads no more commands. Returns after the open command's answer.
  void stop();
  bool reader_is_gone() const { return reader_is_gone_; }

 private:
  enum class Next { kContinue, kEnd };

  void run();
  bool wait_for_input();
  Next carry_out(const LineReader::Line& line);
  v1::CommandAnswer carry_out(const std::string& command_id, const v1::Action& action);
  v1::CommandAnswer end_task();
  v1::CommandAnswer send(v1::RunCommandRequest request);
  v1::CommandAnswer after_lost(const Error& error, const v1::RunCommandRequest& request) const;
  void say_still_here();
  bool write(const std::string& line);
  bool notices_gone_reader();

  const PlannerClient& planner_;
  const std::string task_id_;
  const int in_;
  const int out_;
  LineReader reader_;
  os::UniqueFd stopped_;  // Readable after stop().
  std::atomic<bool> stop_{false};
  std::atomic<bool> reader_is_gone_{false};
  std::uint64_t number_ = 0;
  std::thread thread_;  // Last: it uses all of the above.
};

}  // namespace da::console
