// The planner of one task: a folder of proposers makes it when the task is started, and parses and checks everything
// then. The queue carries it out when the task's turn comes.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "da/v1/planner_rpc.pb.h"
#include "lib/base/result.h"
#include "lib/bus/publisher.h"
#include "services/planner/proposer.h"
#include "services/planner/task/dry_run.h"
#include "services/planner/task/task_cancel.h"
#include "services/planner/task/task_machine.h"
#include "services/planner/task/task_view.h"

namespace da::planner {

// Default time limit of a task. Counts from the moment the task begins to run.
inline constexpr std::chrono::seconds kDefaultTimeLimit{3600};

// The surroundings of a task that runs. Valid only during PreparedTask::run().
struct TaskRun {
  const v1::StartTaskRequest& request;
  TaskView& view;
  TaskCancel& cancel;
  bus::Publisher& bus;
  const Clock& clock;
  // Carries out what the proposer proposes, or only judges it in a dry run, until the task ends.
  std::function<v1::TaskResult(Proposer& proposer, const Limits& limits)> carry_out;
};

class PreparedTask {
 public:
  virtual ~PreparedTask() = default;

  // The name for people: "plain", "openai".
  virtual std::string planner() const = 0;
  // Shortens the request for the fact TaskAccepted.
  virtual void shorten(v1::StartTaskRequest& recorded) const { recorded.clear_profile(); }
  // Problems of a goal that can be carried out all the same.
  virtual std::vector<std::string> warnings() const { return {}; }
  // The time limit of a task whose request has none.
  virtual std::chrono::seconds time_limit() const { return kDefaultTimeLimit; }
  virtual Plans plans_of_dry_run() const { return Plans::kUntilDone; }

  // Called once, on the task's thread. Makes the proposer, calls task.carry_out, and may add to the summary.
  virtual v1::TaskResult run(const TaskRun& task) = 0;

  // Answers a script's command. Any thread.
  virtual Result<v1::RunCommandReply> run_command(const v1::RunCommandRequest& /*request*/, Milliseconds /*max_wait*/) {
    return Error{Code::kFailedPrecondition, "this task takes no commands; it has a goal"};
  }
  // The task has ended, perhaps before run(). Any thread.
  virtual void end(const v1::TaskResult& /*result*/) {}
};

// kInvalidArgument if a goal without a grammar is empty, no UTF-8, or too long.
Result<void> check_free_goal(const std::string& goal);

}  // namespace da::planner
