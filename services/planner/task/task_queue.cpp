#include "services/planner/task/task_queue.h"

#include <spdlog/spdlog.h>

#include <utility>

#include "da/v1/history.pb.h"
#include "lib/base/text.h"
#include "lib/contract/profile_goal.h"
#include "lib/contract/task_token.h"
#include "lib/os/fault_point/fault_point.h"
#include "services/planner/commands/command_proposer.h"
#include "services/planner/plain/goal_bounds.h"
#include "services/planner/plain/language/goal_parser.h"
#include "services/planner/plain/plain_planner.h"
#include "services/planner/rules/run/rule_proposer.h"
#include "services/planner/task/dry_run.h"
#include "services/planner/task/policy_watch.h"
#include "services/planner/task/task_runner.h"

namespace da::planner {
namespace {

constexpr std::size_t kMaxIdBytes = 100;
constexpr std::size_t kMaxGoalBytes = 20'000;

Error no_such_task(const std::string& task_id) {
  return {Code::kNotFound,
          "unknown task " + escape_foreign(task_id, 100) + ": it was never started, or ended long ago"};
}

Result<void> check_free_goal(const std::string& goal) {
  if (trim(goal).empty()) return Error{Code::kInvalidArgument, "the goal is empty"};
  if (!is_valid_utf8(goal)) return Error{Code::kInvalidArgument, "the goal is not valid UTF-8"};
  if (goal.size() > kMaxGoalBytes) {
    return Error{Code::kInvalidArgument, "the goal is longer than " + std::to_string(kMaxGoalBytes) + " bytes"};
  }
  return ok();
}

v1::TaskResult never_begun(const v1::StartTaskRequest& request, const std::string& reason) {
  v1::TaskResult result;
  result.set_task_id(request.task_id());
  result.set_end(v1::TASK_END_CANCELLED);
  result.set_summary("cancelled while it waited for its turn: " + escape_foreign(reason));
  return result;
}

}  // namespace

TaskQueue::TaskQueue(Services services)
    : services_(services),
      questions_(services.bus, services.clock, services.question_expiry),
      thread_([this] { work(); }) {}

TaskQueue::~TaskQueue() {
  stop();
  thread_.join();
}

Result<v1::ChoosePlannerReply> TaskQueue::choose(const v1::ChoosePlannerRequest& request) {
  ASSIGN_OR_RETURN(const auto choice,
                   model::choose(services_.models, services_.environment, request.planner(), request.model()));
  if (choice.planner != model::kPlain) {
    ASSIGN_OR_RETURN(auto opened, model::open_model(services_.models, services_.environment, choice));
    const std::lock_guard lock(mutex_);
    chosen_.emplace(choice, std::move(opened));
  }
  v1::ChoosePlannerReply reply;
  reply.set_planner(choice.planner);
  reply.set_model(choice.model);
  reply.set_why(choice.why);
  return reply;
}

Result<std::unique_ptr<model::Model>> TaskQueue::model_of(const model::Choice& choice) {
  {
    const std::lock_guard lock(mutex_);
    if (chosen_ && chosen_->first.planner == choice.planner && chosen_->first.model == choice.model) {
      auto taken = std::move(chosen_->second);
      chosen_.reset();
      return taken;
    }
  }
  return model::open_model(services_.models, services_.environment, choice);
}

Result<v1::StartTaskReply> TaskQueue::start(const v1::StartTaskRequest& request) {
  if (request.task_id().empty() || request.task_id().size() > kMaxIdBytes || request.task_token().empty()) {
    return Error{Code::kInvalidArgument, "a task needs the id and the token from Policy.OpenTask"};
  }
  if (!contract::is_for_goal(request.task_token(), request.goal())) {
    return Error{Code::kInvalidArgument, "the policy opened this task for another goal"};
  }
  auto task = std::make_shared<Task>();
  RETURN_IF_ERROR(prepare(request, *task));
  task->request = request;
  task->request.clear_profile();  // Task.profile has it.
  v1::StartTaskReply reply;
  if (task->profile) reply.mutable_warnings()->Assign(task->profile->warnings.begin(), task->profile->warnings.end());
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
  if (request.has_profile()) {
    for (auto& file : *fact.mutable_request()->mutable_profile()->mutable_templates()) {
      file.set_digest(rules::template_digest(file.content()));
      file.clear_content();
    }
  }
  services_.bus.publish(fact, request.task_id(), request.task_id());
  return reply;
}

Result<void> TaskQueue::prepare(const v1::StartTaskRequest& request, Task& task) {
  const std::string planner = request.planner().empty() ? model::kPlain : request.planner();
  const bool has_model = planner != model::kPlain && planner != kCommands && planner != rules::kProfile;
  if (!has_model && request.has_decision()) {
    return Error{Code::kInvalidArgument, "only a model can make suggestions; name one (--planner)"};
  }
  if (planner == kCommands) {
    if (request.dry_run()) {
      return Error{Code::kInvalidArgument, "commands have no dry run, because each depends on the answer before"};
    }
    RETURN_IF_ERROR(check_free_goal(request.goal()));
    task.choice = {.planner = kCommands, .model = {}, .why = "a script sends the steps"};
    task.commands.emplace(services_.clock, task.cancel);
    return ok();
  }
  if (planner == rules::kProfile) {
    if (request.goal() != contract::profile_goal(request.profile())) {
      return Error{Code::kInvalidArgument, "the policy opened this task for another profile"};
    }
    const v1::ProfileRun& run = request.profile();
    ASSIGN_OR_RETURN(task.profile, rules::load(run));
    ASSIGN_OR_RETURN(task.profile_models,
                     rules::ProfileModels::open(services_.models, services_.environment, task.profile->profile,
                                                task.profile->variables, {run.provider(), run.model()}));
    task.choice = {.planner = rules::kProfile, .model = {}, .why = "the rules of a profile decide"};
    return ok();
  }
  ASSIGN_OR_RETURN(task.choice, model::choose(services_.models, services_.environment, planner, request.model()));
  if (!has_model) {
    ASSIGN_OR_RETURN(task.goal, plain::parse_goal(request.goal()));
    return ok();
  }
  RETURN_IF_ERROR(check_free_goal(request.goal()));
  if (request.has_decision()) RETURN_IF_ERROR(model::check_decision(request.decision()));
  ASSIGN_OR_RETURN(task.model, model_of(task.choice));
  return ok();
}

Result<v1::RunCommandReply> TaskQueue::run_command(const v1::RunCommandRequest& request, Milliseconds max_wait) {
  TaskPtr task;
  {
    const std::lock_guard lock(mutex_);
    const auto entry = tasks_.find(request.task_id());
    if (entry == tasks_.end()) return no_such_task(request.task_id());
    task = entry->second;
  }
  if (!task->commands) return Error{Code::kFailedPrecondition, "this task takes no commands; it has a goal"};
  return task->commands->run(request, max_wait);
}

Result<v1::AwaitTaskReply> TaskQueue::await(const std::string& task_id, Milliseconds max_wait) {
  std::unique_lock lock(mutex_);
  const auto entry = tasks_.find(task_id);
  if (entry == tasks_.end()) return no_such_task(task_id);
  const TaskPtr task = entry->second;
  changed_.wait_for(lock, max_wait, [&] { return task->ended || stopping_; });
  v1::AwaitTaskReply reply;
  reply.set_ended(task->ended);
  reply.set_state(task->state);
  if (task->ended) *reply.mutable_result() = task->result;
  return reply;
}

Result<void> TaskQueue::cancel(const std::string& task_id, const std::string& reason) {
  TaskPtr task;
  bool waited = false;
  {
    const std::lock_guard lock(mutex_);
    const auto entry = tasks_.find(task_id);
    if (entry == tasks_.end()) return no_such_task(task_id);
    task = entry->second;
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
  const bool dry = request.dry_run();
  const std::chrono::seconds usual = task.commands  ? kCommandsTimeLimit
                                     : task.profile ? rules::kProfileTimeLimit
                                                    : kDefaultTimeLimit;
  const auto limit = request.time_limit_s() == 0 ? usual : std::chrono::seconds(request.time_limit_s());
  TaskView view(services_.observer, services_.clock, task.cancel, request.task_id(), request.task_token(),
                services_.clock.now() + limit);
  if (task.model) return carry_out_with_model(task, view);
  if (task.commands) return carry_out_commands(task, view);
  if (task.profile) return carry_out_profile(task, view);
  plain::PlainPlanner proposer(task.goal, view, dry ? plain::Patience::kNow : plain::Patience::kWait);
  Limits limits;
  limits.max_turns = plain::turn_bound(task.goal, limits.max_stale_retries + 1);
  limits.max_failures = plain::failure_bound(task.goal);
  return carry_out(task, proposer, view, limits);
}

v1::TaskResult TaskQueue::carry_out_with_model(Task& task, TaskView& view) {
  const model::Settings& models = services_.models;
  const v1::StartTaskRequest& request = task.request;
  const std::string& provider = task.model->sized_for();
  const auto images = model::image_wants(models, provider,
                                         request.has_decision() ? model::Names::kDescriptions : model::Names::kPlaces);
  view.want_images(images);
  model::CallRules rules = models.rules;
  rules.until = view.time_limit();
  model::Budget budget(models.budget);
  model::ModelCaller caller(*task.model, rules, budget, models.prices, services_.clock, task.cancel,
                            report_to(task, view));
  const auto dialect =
      request.has_decision() ? model::suggestion_dialect(request.decision()) : model::dialect_of(provider, images);
  const auto options =
      request.has_decision() ? model::decision_options(models.options, request.decision()) : models.options;
  model::ModelPlanner proposer(request.goal(), *dialect, caller, view, options);
  proposer.report_problems([&](v1::PartFailed::Stage stage, const std::string& problem) {
    v1::PartFailed fact;
    fact.set_stage(stage);
    fact.set_reason(problem);
    services_.bus.publish(fact, request.task_id(), view.cause());
  });
  Limits limits;
  // ModelPlanner counts the model's turns; each can lead to at most kMaxStepsPerTurn decisions of its steps.
  limits.max_turns = options.max_turns * (contract::kMaxStepsPerTurn + 1) + 1;
  limits.max_failures = model::kMaxFailures;
  v1::TaskResult result = carry_out(task, proposer, view, limits);
  const bool idle = result.end() == v1::TASK_END_DONE && result.parts_carried_out() == 0 && !request.dry_run();
  if (idle) result.set_summary(result.summary() + " (nothing was carried out)");
  result.set_summary(result.summary() + " (" + task.choice.planner + ", " + task.choice.model + ": " + budget.spent() +
                     ")");
  return result;
}

v1::TaskResult TaskQueue::carry_out_commands(Task& task, TaskView& view) {
  CommandProposer proposer(*task.commands, view);
  return carry_out(task, proposer, view, kOnlyTimeLimits);
}

v1::TaskResult TaskQueue::carry_out_profile(Task& task, TaskView& view) {
  rules::ModelCalls models(task.profile_models, services_.models, view.time_limit(), services_.clock, task.cancel,
                           report_to(task, view));
  rules::RuleProposer proposer(*task.profile,
                               {.task_id = task.request.task_id(),
                                .once = task.profile->once,
                                .run_for = task.profile->run_for,
                                .dry_run = task.request.dry_run()},
                               view, models, services_.bus);
  v1::TaskResult result = carry_out(task, proposer, view, kOnlyTimeLimits);
  if (!models.empty()) result.set_summary(result.summary() + " (models: " + models.budget().spent() + ")");
  return result;
}

model::ModelCaller::Report TaskQueue::report_to(const Task& task, const TaskView& view) {
  return [this, &task, &view](v1::ModelCall&& call) {
    services_.bus.publish(std::move(call), task.request.task_id(), view.cause());
  };
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
  spdlog::info("task {} begins: planner {}{}", escape_foreign(request.task_id()), task.choice.planner,
               dry ? ", dry run" : "");
  if (dry) {
    const Plans plans = task.model ? Plans::kFirst : Plans::kUntilDone;
    return dry_run(identity, proposer, services_.policy, view, services_.bus, plans, on_state);
  }
  return TaskRunner(identity, proposer, services_.policy, view, questions_, services_.bus, limits, on_state,
                    services_.models.step_pause, request.require_proof() ? Unproven::kFailsTheTask : Unproven::kIsTold)
      .run();
}

void TaskQueue::finish(Task& task, v1::TaskResult result) {
  spdlog::info("task {} ended: {}: {}", escape_foreign(result.task_id()), v1::TaskEnd_Name(result.end()),
               escape_foreign(result.summary(), 4000));
  DA_FAULT_POINT("planner.before_result");
  v1::TaskEnded fact;
  *fact.mutable_result() = result;
  services_.bus.publish(fact, result.task_id(), {});
  if (task.commands) close(*task.commands, result);
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
