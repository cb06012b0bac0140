#include "services/planner/task_runner.h"

#include <spdlog/spdlog.h>

#include <utility>

#include "lib/base/fault_point.h"
#include "lib/base/id.h"
#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/named_action.h"
#include "services/planner/ask_user.h"
#include "services/planner/outcome_events.h"
#include "services/planner/planner_tools.h"

namespace da::planner {
namespace {

// A step that is under way when the time is over may still tell what became of it.
constexpr Milliseconds kSubmitGrace{5'000};

// A step that was refused is not tried again at once.
constexpr Milliseconds kLeastPause{500};
constexpr Milliseconds kAwaitResumeFor{5'000};
// A policy that hangs may go on; nothing is under way meanwhile.
constexpr Milliseconds kPolicyMayHang{15'000};

Performer performer_of(const v1::Step& step) {
  return is_planner_tool(step.action()) ? Performer::kPlanner : Performer::kActuator;
}

Error unsent(const Error& error) { return {error.code, error.message + "; the step was not submitted"}; }

}  // namespace

TaskRunner::TaskRunner(TaskIdentity identity, Proposer& proposer, Policy& policy, Sight& sight, Questions& questions,
                       bus::Publisher& bus, Limits limits, OnState on_state)
    : identity_(std::move(identity)),
      proposer_(proposer),
      policy_(policy),
      sight_(sight),
      questions_(questions),
      bus_(bus),
      on_state_(std::move(on_state)) {
  machine_.limits = limits;
}

v1::TaskResult TaskRunner::run() {
  apply({EventKind::kStarted, {}});
  while (!due_.empty()) {
    const Effect effect = due_.front();
    due_.erase(due_.begin());
    perform(effect);
  }
  v1::TaskResult result;
  result.set_task_id(identity_.task_id);
  result.set_end(machine_.end);
  result.set_summary(machine_.reason);
  result.set_steps(machine_.steps_done);
  result.set_last_image_hash(last_image_hash_);
  return result;
}

// The state is published at once; the other effects wait until all events of one answer were applied.
void TaskRunner::apply(const Event& event) {
  Transition transition = next(machine_, event);
  machine_ = std::move(transition.machine);
  for (const Effect effect : transition.effects) {
    if (effect == Effect::kPublishState) {
      publish_state();
    } else {
      due_.push_back(effect);
    }
  }
}

void TaskRunner::perform(Effect effect) {
  Event event{};
  const bool may_be_held = effect != Effect::kAwaitResume;
  if (effect != Effect::kEnd && (may_be_held ? stopped(event) : ended(event))) return apply(event);
  switch (effect) {
    case Effect::kObserve: return apply(observe());
    case Effect::kDecide: return apply(decide(Attempt::kNext));
    case Effect::kDecideAgain: return apply(decide(Attempt::kAgain));
    case Effect::kVerify: return apply(verify());
    case Effect::kAwaitResume: return apply(await_resume());
    case Effect::kSubmit:
      for (const Event& answered : submit()) {
        last_outcome_ = answered.kind;
        proposer_.hear(step(), answered);
        apply(answered);
      }
      if (machine_.state != v1::TASK_STATE_ACTING) return;
      // Allowed, and nobody has carried it out yet: it is ours to answer.
      event = answer();
      last_outcome_ = event.kind;
      proposer_.hear(step(), event);
      return apply(event);
    case Effect::kEnd: {
      picture_the_end();
      DA_FAULT_POINT("planner.before_close");
      v1::CloseTaskRequest request;
      request.set_task_token(identity_.task_token);
      // The policy forgets the task by itself when it cannot be reached now.
      if (const auto closed = policy_.close_task(request); !closed) {
        spdlog::info("task {}: its authority could not be given up: {}", identity_.task_id, closed.error().message);
      }
      return;
    }
    case Effect::kPublishState: return publish_state();
  }
}

Event TaskRunner::observe() {
  DA_FAULT_POINT("planner.before_observe");
  const View view = proposer_.wanted_view();
  const Picture picture = view == View::kSettledScreen ? Picture::kUsual : Picture::kNone;
  auto observation = sight_.look(picture, view == View::kState ? Milliseconds(0) : kSettleWait, view);
  if (!observation) return failure(observation.error(), "observer", EventKind::kObserveFailed);
  latest_ = *std::move(observation);
  take_image_of(latest_);
  return {EventKind::kObserved, {}};
}

void TaskRunner::take_image_of(const v1::Observation& observation) {
  pictured_ = !observation.image_hash().empty();
  if (pictured_) last_image_hash_ = observation.image_hash();
}

// A person who asks what became of a task looks at its last screenshot.
void TaskRunner::picture_the_end() {
  const bool observer_may_be_lost = machine_.end == v1::TASK_END_SERVICE_LOST;
  // The actuator may still be at it, and shows nothing meanwhile.
  if (pictured_ || observer_may_be_lost || step_in_doubt_ || sight_.cancel().cancelled()) return;
  if (const auto seen = sight_.look(Picture::kUsual, Milliseconds(0))) take_image_of(*seen);
}

Event TaskRunner::decide(Attempt attempt) {
  auto plan = proposer_.decide(latest_, attempt);
  if (!plan) return failure(plan.error(), "observer", EventKind::kPlanFailed);
  plan_ = *std::move(plan);
  identify(plan_);
  bus_.publish(plan_, identity_.task_id, plan_.frame_id());
  DA_FAULT_POINT("planner.after_plan");
  if (plan_.has_done()) return {EventKind::kGoalFinished, plan_.done()};
  return {EventKind::kPlanDecided, {}, static_cast<std::uint32_t>(plan_.steps_size())};
}

std::vector<Event> TaskRunner::submit() {
  v1::SubmitRequest request;
  request.set_task_token(identity_.task_token);
  *request.mutable_step() = step();
  const auto left = std::chrono::ceil<Milliseconds>(sight_.time_limit() - sight_.clock().now());
  DA_FAULT_POINT("planner.before_submit");
  if (const auto connected = policy_.connect(); !connected) return {after_lost_policy(unsent(connected.error()))};
  const auto reply = policy_.submit(request, left + kSubmitGrace, sight_.cancel().submits());
  DA_FAULT_POINT("planner.after_submit");
  if (!reply) return {after_lost_submit(reply.error())};
  return events_of(*reply, step(), performer_of(step()));
}

// The policy may hear of a pause of the actuator a moment later than the planner, and of a suspension never.
Event TaskRunner::await_resume() {
  Event event{};
  MonoTime answered = system_clock().now();
  const auto wait_a_little = [this] {
    sight_.cancel().release();  // Being held would end the wait at once.
    static_cast<void>(sight_.cancel().pause_until(system_clock(), system_clock().now() + kLeastPause));
  };
  wait_a_little();
  while (!ended(event)) {
    const auto left = std::chrono::ceil<Milliseconds>(sight_.time_limit() - sight_.clock().now());
    const auto reply =
        policy_.await_resume(identity_.task_token, std::min(left, kAwaitResumeFor), sight_.cancel().resumes());
    if (reply && !reply->has_pause()) {
      sight_.cancel().release();
      proposer_.resumed();
      return {EventKind::kResumed, {}};
    }
    if (reply) answered = system_clock().now();
    if (reply || ended(event)) continue;
    const bool may_hang = is_lost_or_cancelled(reply.error()) && system_clock().now() - answered < kPolicyMayHang;
    if (!may_hang) return after_lost_policy(reply.error());
    wait_a_little();
  }
  return event;
}

// What it was cancelled for, or that it is lost. A hold explains nothing here: it cancels no call to the policy.
Event TaskRunner::after_lost_policy(const Error& error) const {
  Event event{};
  if (ended(event)) return event;
  return event_of(error, "policy", EventKind::kFailed);
}

// A policy that went away, or did not answer in time, may have had the step carried out already; only a safe one is
// nobody's worry. What a person has stopped ends as stopped: it may have waited for an approval.
Event TaskRunner::after_lost_submit(const Error& error) {
  const Event event = after_lost_policy(error);
  const bool lost = event.kind == EventKind::kServiceLost || event.kind == EventKind::kTimeLimit;
  if (!lost || contract::risk_of(step().action()) == v1::RISK_SAFE) return event;
  step_in_doubt_ = true;
  return {EventKind::kUnknown, "whether it happened is not known, and it is not repeated; look at the desktop. " +
                                   contract::describe(step()) + ": " + event.text};
}

Event TaskRunner::answer() {
  DA_FAULT_POINT("planner.before_answer");
  const bool asks = step().action().has_ask_user();
  const auto answer =
      asks ? ask_user(step(), identity_.task_id, sight_, questions_) : answer_tool(step().action(), sight_);
  v1::StepAnswered fact;
  fact.set_step_id(step().step_id());
  fact.set_tool(contract::tool_of(step().action())->name());
  fact.set_ok(answer && answer->ok);
  fact.set_message(answer ? answer->message : answer.error().message);
  bus_.publish(fact, identity_.task_id, step().step_id());
  if (!answer) return failure(answer.error(), "observer", EventKind::kFailed);
  if (answer->image) proposer_.see(*answer->image);
  if (answer->ok) return {EventKind::kConfirmed, answer->message};
  return failure({Code::kFailedPrecondition, contract::describe(step()) + ": " + answer->message}, "observer",
                 EventKind::kFailed);
}

Event TaskRunner::verify() {
  DA_FAULT_POINT("planner.before_verify");
  const auto verified = proposer_.verify(step(), last_outcome_);
  if (!verified) return failure(verified.error(), "observer", EventKind::kVerifyFailed);
  return {EventKind::kVerified, {}};
}

bool TaskRunner::ended(Event& event) const {
  if (sight_.cancel().cancelled()) {
    const std::string reason = sight_.cancel().reason();
    const bool halted = sight_.cancel().halted();
    const std::string what = halted ? "halted" : "cancelled";
    event = {halted ? EventKind::kHalted : EventKind::kCancelled,
             reason.empty() ? what : what + ": " + escape_foreign(reason)};
    return true;
  }
  if (sight_.time_is_over()) {
    event = {EventKind::kTimeLimit, "the time limit of the task is over, while " + detail()};
    return true;
  }
  return false;
}

bool TaskRunner::stopped(Event& event) const {
  if (ended(event)) return true;
  if (sight_.cancel().held()) event = {EventKind::kPaused, sight_.cancel().hold_reason()};
  return event.kind == EventKind::kPaused;
}

// Being stopped explains every failure that came with it; being held, what was broken off for it.
Event TaskRunner::failure(const Error& error, const std::string& service, EventKind fallback) const {
  Event event{};
  if (error.code == Code::kCancelled ? stopped(event) : ended(event)) return event;
  return event_of(error, service, fallback);
}

void TaskRunner::publish_state() {
  note_part();
  v1::TaskStateChanged fact;
  set_part(fact, part_);
  fact.set_state(machine_.state);
  fact.set_detail(detail());
  fact.set_turn(machine_.turn);
  bus_.publish(fact, identity_.task_id, plan_.plan_id());
  on_state_(machine_.state, fact.detail());
}

// What is decided next; what follows a decision is about the same.
void TaskRunner::note_part() {
  if (machine_.state != v1::TASK_STATE_OBSERVING && machine_.state != v1::TASK_STATE_DECIDING) return;
  part_ = proposer_.part(machine_.again ? Attempt::kAgain : Attempt::kNext);
}

std::string TaskRunner::detail() const {
  switch (machine_.state) {
    case v1::TASK_STATE_OBSERVING: return "looking at the desktop";
    case v1::TASK_STATE_DECIDING: return "deciding what to do next";
    case v1::TASK_STATE_AUTHORIZING: return "asking the policy for " + contract::describe(step());
    case v1::TASK_STATE_ACTING: return contract::describe(step());
    case v1::TASK_STATE_VERIFYING: return "checking what came of " + contract::describe(step());
    case v1::TASK_STATE_PAUSED:
    case v1::TASK_STATE_TERMINATED: return machine_.reason;
    default: return "waiting for its turn";
  }
}

void set_part(v1::TaskStateChanged& fact, const Part& part) {
  fact.set_part(part.number);
  fact.set_parts(part.of);
  fact.set_part_text(part.text);
}

void identify(v1::Plan& plan) {
  plan.set_plan_id(random_uuid());
  for (v1::Step& step : *plan.mutable_steps()) step.set_step_id(random_uuid());
}

}  // namespace da::planner
