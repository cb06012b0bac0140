// The tasks of one desktop: one runs at a time, on the queue's own thread; the others wait in order.
// start() parses the whole goal of a plain task; a model's goal is free text. Any thread. `services` must outlive the
// queue.
//
//   TaskQueue queue(services);
//   RETURN_IF_ERROR(queue.start(request));             // kInvalidArgument with the line and column of a bad goal
//   auto reply = queue.await(task_id, Milliseconds(30'000));
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "da/v1/planner_rpc.pb.h"
#include "lib/base/result.h"
#include "lib/bus/publisher.h"
#include "services/planner/commands/command_inbox.h"
#include "services/planner/model/settings/choice.h"
#include "services/planner/model/settings/settings.h"
#include "services/planner/plain/language/goal.h"
#include "services/planner/roles.h"
#include "services/planner/rules/run/loaded_profile.h"
#include "services/planner/rules/run/profile_models.h"
#include "services/planner/task/questions.h"
#include "services/planner/task/task_cancel.h"

namespace da::planner {

// Default time limit of a task. Counts from the moment the task begins to run.
inline constexpr std::chrono::seconds kDefaultTimeLimit{3600};
inline constexpr std::size_t kMaxWaitingTasks = 32;
inline constexpr std::size_t kKeptTasks = 64;  // Ended tasks whose results are kept.

struct Services {
  Observer& observer;
  Policy& policy;
  bus::Publisher& bus;
  const Clock& clock;
  const model::Settings& models;
  model::Environment environment = model::process_environment();
  Milliseconds question_expiry = kDefaultQuestionExpiry;
};

class TaskQueue {
 public:
  explicit TaskQueue(Services services);
  ~TaskQueue();
  TaskQueue(const TaskQueue&) = delete;
  TaskQueue& operator=(const TaskQueue&) = delete;

  // Which planner a task would get, and why. Errors of model::choose; kFailedPrecondition if it is unusable.
  Result<v1::ChoosePlannerReply> choose(const v1::ChoosePlannerRequest& request);

  // kInvalidArgument (goal, profile, ids, planner, a token for another goal), kFailedPrecondition (the planner is
  // unusable), kAlreadyExists (the task id was used before), kResourceExhausted (too many tasks wait).
  Result<v1::StartTaskReply> start(const v1::StartTaskRequest& request);
  // Returns when the task ends, after max_wait, or when the queue is stopped. kNotFound.
  Result<v1::AwaitTaskReply> await(const std::string& task_id, Milliseconds max_wait);
  // Returns when the command is answered, after max_wait, or when the queue is stopped. Errors of CommandInbox::run;
  // kNotFound, kFailedPrecondition (the task takes no commands).
  Result<v1::RunCommandReply> run_command(const v1::RunCommandRequest& request, Milliseconds max_wait);
  // Has no effect on an ended task. kNotFound.
  Result<void> cancel(const std::string& task_id, const std::string& reason);

  Questions& questions() { return questions_; }

  // Cancels every task and wakes all callers of await(). No task can be started afterwards.
  void stop();

  // Shown by `status`.
  struct Load {
    std::string running;  // Id of the running task; empty if none.
    std::string goal;
    std::string detail;  // What the task is doing.
    std::size_t waiting = 0;
  };
  Load load() const;

 private:
  struct Task {
    v1::StartTaskRequest request;
    plain::Goal goal;                     // Empty unless the plain planner decides.
    std::unique_ptr<model::Model> model;  // Null: the plain planner.
    model::Choice choice;
    TaskCancel cancel;
    std::optional<CommandInbox> commands;         // Set if the steps are a script's commands.
    std::optional<rules::LoadedProfile> profile;  // Set if rules decide.
    rules::ProfileModels profile_models;
    v1::TaskState state = v1::TASK_STATE_IDLE;
    std::string detail;  // What the task is doing, for people.
    bool ended = false;
    v1::TaskResult result;
  };
  using TaskPtr = std::shared_ptr<Task>;

  // Checks the goal, and opens what decides the task's steps.
  Result<void> prepare(const v1::StartTaskRequest& request, Task& task);
  Result<std::unique_ptr<model::Model>> model_of(const model::Choice& choice);
  void work();
  v1::TaskResult carry_out(Task& task);
  v1::TaskResult carry_out(Task& task, Proposer& proposer, TaskView& view, const Limits& limits);
  v1::TaskResult carry_out_with_model(Task& task, TaskView& view);
  v1::TaskResult carry_out_commands(Task& task, TaskView& view);
  v1::TaskResult carry_out_profile(Task& task, TaskView& view);
  model::ModelCaller::Report report_to(const Task& task, const TaskView& view);
  void finish(Task& task, v1::TaskResult result);
  void forget_oldest();

  const Services services_;
  Questions questions_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, TaskPtr> tasks_;
  std::deque<TaskPtr> waiting_;
  std::deque<std::string> ended_;  // Oldest first.
  TaskPtr running_;
  // Opened by choose(), for the next task with the same choice.
  std::optional<std::pair<model::Choice, std::unique_ptr<model::Model>>> chosen_;
  bool stopping_ = false;
  std::thread thread_;  // Last: it uses all of the above.
};

}  // namespace da::planner
