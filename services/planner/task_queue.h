// The tasks of one desktop: one runs at a time, on a thread of the queue's own, the others wait in order.
// Goals for the plain planner are parsed whole when a task is handed in; a model's are free text. Any thread. What it
// is given must outlive it.
//
//   TaskQueue queue(services);
//   RETURN_IF_ERROR(queue.start(request));             // kInvalidArgument: line and column of what is not understood
//   auto reply = queue.await(task_id, Milliseconds(30'000));
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "da/v1/planner_rpc.pb.h"
#include "lib/base/result.h"
#include "lib/bus/publisher.h"
#include "services/planner/model/choice.h"
#include "services/planner/model/settings.h"
#include "services/planner/plain/goal.h"
#include "services/planner/questions.h"
#include "services/planner/roles.h"
#include "services/planner/task_cancel.h"

namespace da::planner {

// Of a task that names no limit of its own. Counted from when it begins to run.
inline constexpr std::chrono::seconds kDefaultTimeLimit{3600};
inline constexpr std::size_t kMaxWaitingTasks = 32;
// Results of so many ended tasks can still be asked for.
inline constexpr std::size_t kKeptTasks = 64;

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

  // Which planner a task would get, and why. As model::choose; kFailedPrecondition where it cannot be used.
  Result<v1::ChoosePlannerReply> choose(const v1::ChoosePlannerRequest& request) const;

  // kInvalidArgument (goal, ids, planner), kFailedPrecondition (the planner cannot be used), kAlreadyExists (the task's
  // id was used), kResourceExhausted (too many wait).
  Result<v1::StartTaskReply> start(const v1::StartTaskRequest& request);
  // Returns once the task has ended, at the latest after max_wait; or when the queue is stopped. kNotFound.
  Result<v1::AwaitTaskReply> await(const std::string& task_id, Milliseconds max_wait);
  // Does nothing to a task that has ended. kNotFound.
  Result<void> cancel(const std::string& task_id, const std::string& reason);

  // What its tasks ask people.
  Questions& questions() { return questions_; }

  // Cancels every task, and wakes whoever awaits one. Nothing can be started afterwards.
  void stop();

  // For `status`: the task that runs (empty where none does), and how many wait.
  struct Load {
    std::string running;
    std::string goal;  // Its goal, and what it is doing.
    std::string detail;
    std::size_t waiting = 0;
  };
  Load load() const;

 private:
  struct Task {
    v1::StartTaskRequest request;
    plain::Goal goal;                     // Of the plain planner.
    std::unique_ptr<model::Model> model;  // Null: the plain planner.
    model::Choice choice;
    TaskCancel cancel;
    v1::TaskState state = v1::TASK_STATE_IDLE;
    std::string detail;  // What it is doing, for people.
    bool ended = false;
    v1::TaskResult result;
  };
  using TaskPtr = std::shared_ptr<Task>;

  void work();
  v1::TaskResult carry_out(Task& task);
  v1::TaskResult carry_out(Task& task, Proposer& proposer, Sight& sight, const Limits& limits);
  v1::TaskResult carry_out_with_model(Task& task, Sight& sight);
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
  bool stopping_ = false;
  std::thread thread_;  // Last: it uses all of the above.
};

}  // namespace da::planner
