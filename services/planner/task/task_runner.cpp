#include "services/planner/task/task_runner.h"

#include <spdlog/spdlog.h>

#include <utility>

#include "lib/base/id.h"
#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/named_action.h"
#include "lib/os/fault_point/fault_point.h"
#include "services/planner/task/outcome_events.h"
#include "services/planner/tools/planner_tools.h"

namespace da::planner {
namespace {

// Added to the time limit: lets a running step still report its outcome.
constexpr Milliseconds kSubmitGrace{5'000};

// The shortest wait before a refused step is retried.
constexpr Milliseconds kLeastPause{500};
constexpr Milliseconds kAwaitResumeFor{5'000};
// During a pause the task tolerates a policy that does not answer for so long, because no step is running.
constexpr Milliseconds kPolicyMayHang{15'000};

Actor actor_of(const v1::Step& step) { return is_planner_tool(step.action()) ? Actor::kPlanner : Actor::kActuator; }

Error unsent(const Error& error) { return {error.code, error.message + "; the step was not submitted"}; }

}  // namespace

TaskRunner::TaskRunner(TaskIdentity identity, Proposer& proposer, Policy& policy, TaskView& view, Questions& questions,
                       bus::Publisher& bus, Limits limits, OnState on_state, Milliseconds step_pause, Unproven unproven)
    : identity_(std::move(identity)),
      proposer_(proposer),
      policy_(policy),
      view_(view),
      questions_(questions),
      bus_(bus),
      on_state_(std::move(on_state)),
      step_pause_(step_pause),
      unproven_(unproven) {
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
  tally_.write(proposer_.parts_carried_out(), part_, result);
  return result;
}

// Publishes the state at once; the other effects wait until all events of one answer are applied.
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
      pause_between_steps();
      if (stopped(event)) return apply(event);
      for (const Event& answered : submit()) {
        last_outcome_ = answered;
        proposer_.hear(step(), answered);
        apply(answered);
      }
      last_step_end_ = view_.clock().now();
      if (machine_.state != v1::TASK_STATE_ACTING) return;
      // The policy allowed a tool of the planner: carry it out here.
      event = answer();
      last_outcome_ = event;
      proposer_.hear(step(), event);
      return apply(event);
    case Effect::kEnd: {
      picture_the_end();
      DA_FAULT_POINT("planner.before_close");
      v1::CloseTaskRequest request;
      request.set_task_token(identity_.task_token);
      // The policy drops the task later by itself if this fails.
      if (const auto closed = policy_.close_task(request); !closed) {
        spdlog::info("task {}: cannot close it at the policy: {}", identity_.task_id, closed.error().message);
      }
      return;
    }
    case Effect::kPublishState: return publish_state();
  }
}

Event TaskRunner::observe() {
  DA_FAULT_POINT("planner.before_observe");
  const MonoTime until = std::min(view_.clock().now() + delay_of_retry(machine_), view_.time_limit());
  static_cast<void>(view_.cancel().pause_until(view_.clock(), until));  // look() reports a cancel.
  const View view = proposer_.wanted_view();
  const Picture picture = view == View::kSettledScreen ? Picture::kUsual : Picture::kNone;
  auto observation = view_.look(picture, view == View::kState ? Milliseconds(0) : kSettleWait, view);
  if (!observation) return failure(observation.error(), "observer", EventKind::kObserveFailed);
  latest_ = *std::move(observation);
  take_image_of(latest_);
  return {EventKind::kObserved, {}};
}

void TaskRunner::take_image_of(const v1::Observation& observation) {
  pictured_ = !observation.image_hash().empty();
  if (pictured_) last_image_hash_ = observation.image_hash();
}

// Takes a last screenshot, for people who want to see the result of the task.
void TaskRunner::picture_the_end() {
  const bool observer_may_be_lost = machine_.end == v1::TASK_END_SERVICE_LOST;
  // If the step may still be running, the actuator shows no image.
  if (pictured_ || observer_may_be_lost || step_in_doubt_ || view_.cancel().cancelled()) return;
  if (const auto seen = view_.look(Picture::kUsual, Milliseconds(0))) take_image_of(*seen);
}

Event TaskRunner::decide(Attempt attempt) {
  auto plan = proposer_.decide(latest_, attempt);
  tally_.leave_out(proposer_.take_left_out());
  if (!plan) {
    const Event event = failure(plan.error(), "observer", proposer_.denial().value_or(EventKind::kPlanFailed));
    if (event.kind == EventKind::kPlanFailed) publish_failure(v1::PartFailed::STAGE_TARGET, event.text, {});
    return event;
  }
  plan_ = *std::move(plan);
  identify(plan_);
  view_.set_cause(plan_.plan_id());
  bus_.publish(plan_, identity_.task_id, plan_.frame_id());
  DA_FAULT_POINT("planner.after_plan");
  if (plan_.has_done()) return {EventKind::kGoalFinished, plan_.done()};
  return {EventKind::kPlanDecided, {}, static_cast<std::uint32_t>(plan_.steps_size())};
}

// Before a step and not after one, so that the time that a model thinks counts.
void TaskRunner::pause_between_steps() {
  if (!last_step_end_ || step_pause_ == Milliseconds(0)) return;
  const MonoTime until = std::min(*last_step_end_ + step_pause_, view_.time_limit());
  static_cast<void>(view_.cancel().pause_until(view_.clock(), until));  // perform() reports a cancel.
}

std::vector<Event> TaskRunner::submit() {
  v1::SubmitRequest request;
  request.set_task_token(identity_.task_token);
  *request.mutable_step() = step();
  view_.set_cause(step().step_id());
  const auto left = std::chrono::ceil<Milliseconds>(view_.time_limit() - view_.clock().now());
  DA_FAULT_POINT("planner.before_submit");
  if (const auto connected = policy_.connect(); !connected) return {after_lost_policy(unsent(connected.error()))};
  const auto reply = policy_.submit(request, left + kSubmitGrace, view_.cancel().submits());
  DA_FAULT_POINT("planner.after_submit");
  if (!reply) return {after_lost_submit(reply.error())};
  return events_of(*reply, step(), actor_of(step()));
}

// Waits at least kLeastPause: the policy may learn of an actuator's pause later than the planner, and it never learns
// of a suspension.
Event TaskRunner::await_resume() {
  Event event{};
  proposer_.paused(machine_.reason);
  MonoTime answered = system_clock().now();
  const auto wait_a_little = [this] {
    view_.cancel().release();  // A hold would end the wait at once.
    static_cast<void>(view_.cancel().pause_until(system_clock(), system_clock().now() + kLeastPause));
  };
  wait_a_little();
  while (!ended(event)) {
    const auto left = std::chrono::ceil<Milliseconds>(view_.time_limit() - view_.clock().now());
    const auto reply =
        policy_.await_resume(identity_.task_token, std::min(left, kAwaitResumeFor), view_.cancel().resumes());
    if (reply && !reply->has_pause()) {
      view_.cancel().release();
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

// The reason of the cancel, else kServiceLost. A hold is no reason: it cancels no call to the policy.
Event TaskRunner::after_lost_policy(const Error& error) const {
  Event event{};
  if (ended(event)) return event;
  return event_of(error, "policy", EventKind::kFailed);
}

// If the policy is lost or does not answer in time, the step may have been carried out: its outcome is unknown, unless
// the step is safe. A step that a person stopped ends as stopped, because it may have waited for an approval.
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
      asks ? ask_user(step(), identity_.task_id, view_, questions_) : answer_tool(step().action(), view_);
  v1::StepAnswered fact;
  fact.set_step_id(step().step_id());
  fact.set_tool(contract::tool_of(step().action())->name());
  fact.set_ok(answer && answer->ok);
  fact.set_message(answer ? answer->message : answer.error().message);
  bus_.publish(fact, identity_.task_id, step().step_id());
  if (!answer) return failure(answer.error(), "observer", EventKind::kFailed);
  proposer_.see(*answer);
  if (answer->ok) return {EventKind::kConfirmed, answer->message};
  return failure({Code::kFailedPrecondition, contract::describe(step()) + ": " + answer->message}, "observer",
                 EventKind::kFailed);
}

Event TaskRunner::verify() {
  DA_FAULT_POINT("planner.before_verify");
  const auto verified = proposer_.verify(step(), last_outcome_.kind);
  const Event event = verified ? count(*verified) : failure(verified.error(), "observer", EventKind::kVerifyFailed);
  if (event.kind == EventKind::kVerifyFailed)
    publish_failure(v1::PartFailed::STAGE_EFFECT, event.text, step().step_id());
  return event;
}

void TaskRunner::publish_failure(v1::PartFailed::Stage stage, const std::string& reason, const std::string& step_id) {
  v1::PartFailed fact;
  fact.set_stage(stage);
  fact.set_part_text(proposer_.part(Attempt::kAgain).text);
  fact.set_reason(reason);
  bus_.publish(fact, identity_.task_id, step_id);
}

// A step that a person left out is no part that was carried out.
Event TaskRunner::count(Proof proof) {
  if (last_outcome_.kind == EventKind::kSkipped) return {EventKind::kVerified, {}};
  const bool told = last_outcome_.kind == EventKind::kConfirmed && proof != Proof::kNone;
  const bool proven = proof == Proof::kSeen || told;
  const bool no_effect = last_outcome_.kind == EventKind::kNoEffect && last_outcome_.text.empty();
  const std::string why = proof == Proof::kNone ? "afterwards, another content shows there"
                          : no_effect           ? "it had no effect"
                                                : last_outcome_.text;
  const Part part = proposer_.part(Attempt::kAgain);
  const std::string what = contract::describe(step());
  tally_.add(part, what, proven, why);
  if (proof == Proof::kEndsPlan) return {EventKind::kVerifiedEndsPlan, {}};
  if (proven || proof == Proof::kLater || unproven_ == Unproven::kIsTold) return {EventKind::kVerified, {}};
  const std::string name = part.number != 0 ? escape_foreign(part.text, 120) : what;
  return {EventKind::kVerifyFailed, name + ": it was carried out, but its effect is not proven" +
                                        (why.empty() ? "" : ": " + escape_foreign(why))};
}

bool TaskRunner::ended(Event& event) const {
  if (view_.cancel().cancelled()) {
    const std::string reason = view_.cancel().reason();
    const bool halted = view_.cancel().halted();
    const std::string what = halted ? "halted" : "cancelled";
    event = {halted ? EventKind::kHalted : EventKind::kCancelled,
             reason.empty() ? what : what + ": " + escape_foreign(reason)};
    return true;
  }
  if (view_.time_is_over()) {
    event = {EventKind::kTimeLimit, "the time limit of the task is over, while " + detail()};
    return true;
  }
  return false;
}

bool TaskRunner::stopped(Event& event) const {
  if (ended(event)) return true;
  if (view_.cancel().held()) event = {EventKind::kPaused, view_.cancel().hold_reason()};
  return event.kind == EventKind::kPaused;
}

// A stopped task explains every failure; a held task explains only cancelled calls.
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

// Updates part_ before a decision; the states after it belong to the same part.
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
    case v1::TASK_STATE_VERIFYING: return "checking the result of " + contract::describe(step());
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
