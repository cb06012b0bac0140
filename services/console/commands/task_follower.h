// Follows one task to its end: its result, its approvals and questions, Ctrl+C, and services that die meanwhile.
// Owner's thread. Another thread awaits the result by a call, because facts on the bus may be lost.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "da/v1/task.pb.h"
#include "lib/os/unique_fd.h"
#include "services/console/exit_codes.h"
#include "services/console/session/embedded_services.h"
#include "services/console/session/session.h"
#include "services/console/terminal/questions/answerer.h"
#include "services/console/terminal/questions/approval_pictures.h"
#include "services/console/terminal/questions/list_trouble.h"
#include "services/console/terminal/stream/status_line.h"

namespace da::console {

struct Followed {
  ExitCode exit_code = kTaskFailed;
  std::string message;  // Shown to people.
  std::optional<v1::TaskResult> result;
};

class TaskFollower {
 public:
  // A dead service of this console; nullopt if none died or another process started them.
  using FindDead = std::function<std::optional<DeadService>()>;
  // Whether a step of the task waits for a person.
  using QuestionIsOpen = std::function<bool()>;
  // Whether the outcome of a granted step is still unknown at the deadline.
  using StepIsInDoubt = std::function<bool(MonoTime deadline)>;

  TaskFollower(const Session& session, std::string task_id, std::vector<int> service_descriptors, FindDead find_dead,
               QuestionIsOpen question_is_open, StepIsInDoubt step_is_in_doubt, StatusLine& status, Terminal terminal);
  ~TaskFollower();

  // stop_signals() must be blocked in all threads.
  Followed follow();

 private:
  void await_result();
  std::optional<Followed> take_result();
  Followed after_death(const DeadService& dead);
  std::optional<DeadService> wait_for_death(Milliseconds at_most);
  Followed after_result(Followed followed);
  Followed without_result(Followed followed);
  Followed interrupted(int signal_fd);
  Followed wait_for_result(MonoTime deadline, Followed otherwise);
  void ask_about_pending(Answerer& answerer);
  void ask(Answerer& answerer, const v1::ListQuestionsReply& questions);

  const Session& session_;
  const ApprovalPictures pictures_;
  ListTrouble trouble_{system_clock()};
  const std::string task_id_;
  const std::vector<int> service_descriptors_;
  const FindDead find_dead_;
  const QuestionIsOpen question_is_open_;
  const StepIsInDoubt step_is_in_doubt_;
  const Terminal terminal_;
  StatusLine& status_;  // Held while a person is asked.
  bool asks_ = false;   // A model's question is open.
  os::UniqueFd result_ready_;
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::optional<Followed> followed_;
  std::thread thread_;
};

}  // namespace da::console
