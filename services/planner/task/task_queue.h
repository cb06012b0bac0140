// The tasks of one desktop: one runs at a time, on the queue's own thread; the others wait in order.
// `prepare` checks the goal and makes the task's planner. Any thread. What `services` refers to must outlive the queue.
//
//   TaskQueue queue(services, prepare);
//   RETURN_IF_ERROR(queue.start(request));             // kInvalidArgument with the line and column of a bad goal
//   auto reply = queue.await(task_id, Milliseconds(30'000));
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "da/v1/planner_rpc.pb.h"
#include "lib/base/result.h"
#include "lib/bus/publisher.h"
#include "services/planner/roles.h"
#include "services/planner/task/prepared_task.h"
#include "services/planner/task/questions.h"
#include "services/planner/task/task_cancel.h"

namespace da::planner {

inline constexpr std::size_t kMaxWaitingTasks = 32;
inline constexpr std::size_t kKeptTasks = 64;  // Ended tasks whose results are kept.

struct TaskServices {
  Observer& observer;
  Policy& policy;
  bus::Publisher& bus;
  const Clock& clock;
  Milliseconds step_pause{0};  // Shortest time between two steps.
  Milliseconds question_expiry = kDefaultQuestionExpiry;
};

// Checks a request, and makes the planner of its task. Its errors are those of TaskQueue::start().
using PrepareTask =
    std::function<Result<std::unique_ptr<PreparedTask>>(const v1::StartTaskRequest& request, TaskCancel& cancel)>;

class TaskQueue {
 public:
  TaskQueue(const TaskServices& services, PrepareTask prepare);
  ~TaskQueue();
  TaskQueue(const TaskQueue&) = delete;
  TaskQueue& operator=(const TaskQueue&) = delete;

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
    TaskCancel cancel;
    std::unique_ptr<PreparedTask> planner;  // Uses `cancel`.
    v1::TaskState state = v1::TASK_STATE_IDLE;
    std::string detail;  // What the task is doing, for people.
    bool ended = false;
    v1::TaskResult result;
  };
  using TaskPtr = std::shared_ptr<Task>;

  Result<TaskPtr> find(const std::string& task_id) const;  // Locks mutex_. kNotFound.
  void work();
  v1::TaskResult carry_out(Task& task);
  v1::TaskResult carry_out(Task& task, Proposer& proposer, TaskView& view, const Limits& limits);
  void finish(Task& task, v1::TaskResult result);
  void forget_oldest();

  const TaskServices services_;
  const PrepareTask prepare_;
  Questions questions_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, TaskPtr> tasks_;
  std::deque<TaskPtr> waiting_;
  std::deque<std::string> ended_;  // Oldest first.
  TaskPtr running_;
  bool stopping_ = false;
  std::thread thread_;  // Last: it uses all of the above.
};

}  // namespace da::planner
