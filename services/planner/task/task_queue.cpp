#include "services/planner/task/task_queue.h"

#include <spdlog/spdlog.h>

#include <utility>

#include "da/v1/history.pb.h"
#include "lib/base/text.h"
#include "lib/contract/task_token.h"
#include "lib/os/fault_point/fault_point.h"
#include "services/planner/task/dry_run.h"
#include "services/planner/task/policy_watch.h"
#include "services/planner/task/task_runner.h"

namespace da::planner {
namespace {

constexpr std::size_t kMaxIdBytes = 100;

Error no_such_task(const std::string& task_id) {
  return {Code::kNotFound,
          "unknown task " + escape_foreign(task_id, 100) + ": it was never started, or ended long ago"};
}

v1::TaskResult never_begun(const v1::StartTaskRequest& request, const std::string& reason) {
  v1::TaskResult result;
  result.set_task_id(request.task_id());
  result.set_end(v1::TASK_END_CANCELLED);
  result.set_summary("cancelled while it waited for its turn: " + escape_foreign(reason));
  return result;
}

}  // namespace

TaskQueue::TaskQueue(const TaskServices& services, PrepareTask prepare)
    : services_(services),
      prepare_(std::move(prepare)),
      questions_(services.bus, services.clock, services.question_expiry),
      thread_([this] { work(); }) {}

TaskQueue::~TaskQueue() {
  stop();
  thread_.join();
}

Result<v1::StartTaskReply> TaskQueue::start(const v1::StartTaskRequest& request) {
  if (request.task_id().empty() || request.task_id().size() > kMaxIdBytes || request.task_token().empty()) {
    return Error{Code::kInvalidArgument, "a task needs the id and the token from Policy.OpenTask"};
  }
  if (!contract::is_for_goal(request.task_token(), request.goal())) {
    return Error{Code::kInvalidArgument, "the policy opened this task for another goal"};
  }
  auto task = std::make_shared<Task>();
  ASSIGN_OR_RETURN(task->planner, prepare_(request, task->cancel));
  task->request = request;
  task->request.clear_profile();  // It may be large, and the planner has read it.
  v1::StartTaskReply reply;
  for (std::string& warning : task->planner->warnings()) reply.add_warnings(std::move(warning));
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return Error{Code::kUnavailable, "da-planner is stopping"};
    if (waiting_.size() >= kMaxWaitingTasks) {
      return Error{Code::kResourceExhausted, std::to_string(waiting_.size()) + " tasks wait already; cancel some"};
    }
    if (!tasks_.emplace(request.task_id(), task).second) {
      return Error{Code::kAlreadyExists, "task " + escape_foreign(request.task_id(), 100) + " was already started"};
    }
    if (running_) {
      reply.set_running_task_id(running_->request.task_id());
      reply.set_running_goal(running_->request.goal());
    }
    reply.set_waiting_before(static_cast<std::uint32_t>(waiting_.size()));
    waiting_.push_back(task);
  }
  changed_.notify_all();
  v1::TaskAccepted fact;
  *fact.mutable_request() = request;
  fact.mutable_request()->clear_task_token();
  task->planner->shorten(*fact.mutable_request());
  services_.bus.publish(fact, request.task_id(), request.task_id());
  return reply;
}

Result<TaskQueue::TaskPtr> TaskQueue::find(const std::string& task_id) const {
  const std::lock_guard lock(mutex_);
  const auto entry = tasks_.find(task_id);
  if (entry == tasks_.end()) return no_such_task(task_id);
  return entry->second;
}

Result<v1::RunCommandReply> TaskQueue::run_command(const v1::RunCommandRequest& request, Milliseconds max_wait) {
  ASSIGN_OR_RETURN(const TaskPtr task, find(request.task_id()));
  return task->planner->run_command(request, max_wait);
}

Result<v1::AwaitTaskReply> TaskQueue::await(const std::string& task_id, Milliseconds max_wait) {
  ASSIGN_OR_RETURN(const TaskPtr task, find(task_id));
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, max_wait, [&] { return task->ended || stopping_; });
  v1::AwaitTaskReply reply;
  reply.set_ended(task->ended);
  reply.set_state(task->state);
  if (task->ended) *reply.mutable_result() = task->result;
  return reply;
}

Result<void> TaskQueue::cancel(const std::string& task_id, const std::string& reason) {
  ASSIGN_OR_RETURN(const TaskPtr task, find(task_id));
  bool waited = false;
  {
    const std::lock_guard lock(mutex_);
    waited = std::erase(waiting_, task) > 0;
  }
  task->cancel.cancel(reason);
  if (waited) finish(*task, never_begun(task->request, reason));
  return ok();
}

void TaskQueue::stop() {
  std::vector<TaskPtr> tasks;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const auto& [id, task] : tasks_) tasks.push_back(task);
  }
  for (const TaskPtr& task : tasks) task->cancel.cancel("da-planner is stopping");
  changed_.notify_all();
}

TaskQueue::Load TaskQueue::load() const {
  const std::lock_guard lock(mutex_);
  if (!running_) return {"", "", "", waiting_.size()};
  return {running_->request.task_id(), running_->request.goal(), running_->detail, waiting_.size()};
}

void TaskQueue::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stopping_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    running_ = waiting_.front();
    waiting_.pop_front();
    const TaskPtr task = running_;
    lock.unlock();
    finish(*task, carry_out(*task));
    lock.lock();
    running_.reset();
  }
}

v1::TaskResult TaskQueue::carry_out(Task& task) {
  const v1::StartTaskRequest& request = task.request;
  const auto limit =
      request.time_limit_s() == 0 ? task.planner->time_limit() : std::chrono::seconds(request.time_limit_s());
  TaskView view(services_.observer, services_.clock, task.cancel, request.task_id(), request.task_token(),
                services_.clock.now() + limit);
  return task.planner->run(
      {request, view, task.cancel, services_.bus, services_.clock,
       [&](Proposer& proposer, const Limits& limits) { return carry_out(task, proposer, view, limits); }});
}

v1::TaskResult TaskQueue::carry_out(Task& task, Proposer& proposer, TaskView& view, const Limits& limits) {
  const v1::StartTaskRequest& request = task.request;
  const bool dry = request.dry_run();
  const auto on_state = [&](v1::TaskState state, const std::string& detail) {
    const std::lock_guard lock(mutex_);
    task.detail = detail;
    // finish() sets the last state together with the result.
    if (state != v1::TASK_STATE_TERMINATED) task.state = state;
  };
  const TaskIdentity identity{request.task_id(), request.task_token()};
  const PolicyWatch watch(services_.policy, services_.clock, identity.task_token, task.cancel,
                          dry ? Heed::kHalts : Heed::kHaltsAndPauses);
  spdlog::info("task {} begins: planner {}{}", escape_foreign(request.task_id()), task.planner->planner(),
               dry ? ", dry run" : "");
  if (dry) {
    return dry_run(identity, proposer, services_.policy, view, services_.bus, task.planner->plans_of_dry_run(),
                   on_state);
  }
  return TaskRunner(identity, proposer, services_.policy, view, questions_, services_.bus, limits, on_state,
                    services_.step_pause, request.require_proof() ? Unproven::kFailsTheTask : Unproven::kIsTold)
      .run();
}

void TaskQueue::finish(Task& task, v1::TaskResult result) {
  spdlog::info("task {} ended: {}: {}", escape_foreign(result.task_id()), v1::TaskEnd_Name(result.end()),
               escape_foreign(result.summary(), 4000));
  DA_FAULT_POINT("planner.before_result");
  v1::TaskEnded fact;
  *fact.mutable_result() = result;
  services_.bus.publish(fact, result.task_id(), {});
  task.planner->end(result);
  {
    const std::lock_guard lock(mutex_);
    task.state = v1::TASK_STATE_TERMINATED;
    task.ended = true;
    task.result = std::move(result);
    ended_.push_back(task.result.task_id());
    forget_oldest();
  }
  changed_.notify_all();
}

void TaskQueue::forget_oldest() {
  while (ended_.size() > kKeptTasks) {
    tasks_.erase(ended_.front());
    ended_.pop_front();
  }
}

}  // namespace da::planner
