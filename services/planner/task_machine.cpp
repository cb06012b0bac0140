#include "services/planner/task_machine.h"

#include <utility>

namespace da::planner {
namespace {

using enum EventKind;

Transition ignored(const Machine& machine) { return {machine, {}}; }

Transition enter(Machine machine, v1::TaskState state, Effect effect) {
  machine.state = state;
  return {std::move(machine), {Effect::kPublishState, effect}};
}

Transition end(Machine machine, v1::TaskEnd why, std::string reason) {
  machine.state = v1::TASK_STATE_TERMINATED;
  machine.end = why;
  machine.reason = std::move(reason);
  return {std::move(machine), {Effect::kPublishState, Effect::kEnd}};
}

Transition observe(Machine machine) { return enter(std::move(machine), v1::TASK_STATE_OBSERVING, Effect::kObserve); }

Transition decide(Machine machine) {
  if (machine.turn >= machine.limits.max_turns) {
    return end(std::move(machine), v1::TASK_END_FAILED,
               "the goal was not reached within " + std::to_string(machine.limits.max_turns) + " turns");
  }
  ++machine.turn;
  const Effect effect = machine.again ? Effect::kDecideAgain : Effect::kDecide;
  return enter(std::move(machine), v1::TASK_STATE_DECIDING, effect);
}

Transition look_again(Machine machine, const std::string& why) {
  if (machine.stale_retries >= machine.limits.max_stale_retries) {
    return end(std::move(machine), v1::TASK_END_FAILED,
               "the screen kept changing under the step, tried " + std::to_string(machine.stale_retries + 1) +
                   " times: " + why);
  }
  ++machine.stale_retries;
  machine.again = true;
  return observe(std::move(machine));
}

// What is left of the plan is dropped with the step: it was made for a success.
Transition failed(Machine machine, const std::string& why) {
  if (machine.failures >= machine.limits.max_failures) return end(std::move(machine), v1::TASK_END_FAILED, why);
  ++machine.failures;
  machine.again = false;
  return observe(std::move(machine));
}

// What the last decision was made for has not been done.
Machine undecided(Machine machine) {
  if (machine.turn > 0) --machine.turn;
  return machine;
}

Machine not_begun(Machine machine) {
  machine.again = true;
  return undecided(std::move(machine));
}

Machine not_verified(Machine machine) {
  machine.verify_again = true;
  return machine;
}

Transition pause(Machine machine, std::string why) {
  if (machine.pauses >= machine.limits.max_pauses) {
    return end(std::move(machine), v1::TASK_END_FAILED,
               "paused " + std::to_string(machine.limits.max_pauses + 1) + " times without a step between: " + why);
  }
  ++machine.pauses;
  machine.reason = std::move(why);
  return enter(std::move(machine), v1::TASK_STATE_PAUSED, Effect::kAwaitResume);
}

// The same in every state that is not the end.
Transition next_anywhere(const Machine& machine, const Event& event) {
  switch (event.kind) {
    case kCancelled: return end(machine, v1::TASK_END_CANCELLED, event.text);
    case kHalted: return end(machine, v1::TASK_END_HALTED, event.text);
    case kServiceLost: return end(machine, v1::TASK_END_SERVICE_LOST, event.text);
    case kTimeLimit: return end(machine, v1::TASK_END_FAILED, event.text);
    default: return ignored(machine);
  }
}

Transition next_in_idle(const Machine& machine, const Event& event) {
  if (event.kind == kStarted) return observe(machine);
  return next_anywhere(machine, event);
}

Transition next_in_observing(const Machine& machine, const Event& event) {
  if (event.kind == kObserved && machine.verify_again) {
    Machine changed = machine;
    changed.verify_again = false;
    return enter(std::move(changed), v1::TASK_STATE_VERIFYING, Effect::kVerify);
  }
  if (event.kind == kObserved) return decide(machine);
  if (event.kind == kPaused) return pause(machine, event.text);
  if (event.kind == kObserveFailed) return end(machine, v1::TASK_END_FAILED, event.text);
  return next_anywhere(machine, event);
}

Transition next_in_deciding(const Machine& machine, const Event& event) {
  switch (event.kind) {
    case kPlanDecided: {
      Machine changed = machine;
      changed.again = false;
      if (event.count == 0) return observe(std::move(changed));
      changed.plan_steps = event.count;
      changed.step = 0;
      return enter(std::move(changed), v1::TASK_STATE_AUTHORIZING, Effect::kSubmit);
    }
    case kGoalFinished: return end(machine, v1::TASK_END_DONE, event.text);
    case kPlanFailed: return end(machine, v1::TASK_END_FAILED, event.text);
    case kPaused: return pause(undecided(machine), event.text);
    default: return next_anywhere(machine, event);
  }
}

Transition next_in_authorizing(const Machine& machine, const Event& event) {
  switch (event.kind) {
    case kAllowed: {
      // The policy judges and has it carried out in one call, so nothing is to be started here.
      Machine changed = machine;
      changed.state = v1::TASK_STATE_ACTING;
      return {std::move(changed), {Effect::kPublishState}};
    }
    case kDenied:
    case kExpired: return end(machine, v1::TASK_END_DENIED, event.text);
    case kPaused: return pause(not_begun(machine), event.text);
    // It could not even be prepared, so there was nothing to judge.
    case kStaleTarget: return look_again(machine, event.text);
    case kRefused:
    case kFailed: return failed(machine, event.text);
    // The policy was lost, and may have had it carried out.
    case kUnknown: return end(machine, v1::TASK_END_UNKNOWN_OUTCOME, event.text);
    default: return next_anywhere(machine, event);
  }
}

Transition next_in_acting(const Machine& machine, const Event& event) {
  switch (event.kind) {
    case kDispatched:
    case kConfirmed:
    case kNoEffect: {
      Machine changed = machine;
      ++changed.steps_done;
      changed.stale_retries = 0;
      changed.pauses = 0;
      changed.failures = 0;
      return enter(std::move(changed), v1::TASK_STATE_VERIFYING, Effect::kVerify);
    }
    case kSkipped: return enter(machine, v1::TASK_STATE_VERIFYING, Effect::kVerify);
    case kStaleTarget: return look_again(machine, event.text);
    case kPaused: return pause(not_begun(machine), event.text);
    // A person may have withdrawn it between the verdict and the act.
    case kDenied:
    case kExpired: return end(machine, v1::TASK_END_DENIED, event.text);
    case kRefused:
    case kFailed: return failed(machine, event.text);
    case kInterrupted: return end(machine, v1::TASK_END_FAILED, event.text);
    case kUnknown: return end(machine, v1::TASK_END_UNKNOWN_OUTCOME, event.text);
    default: return next_anywhere(machine, event);
  }
}

Transition next_in_verifying(const Machine& machine, const Event& event) {
  if (event.kind == kVerifyFailed) return end(machine, v1::TASK_END_FAILED, event.text);
  if (event.kind == kPaused) return pause(not_verified(machine), event.text);
  if (event.kind != kVerified) return next_anywhere(machine, event);
  if (machine.step + 1 >= machine.plan_steps) return observe(machine);
  Machine changed = machine;
  ++changed.step;
  return enter(std::move(changed), v1::TASK_STATE_AUTHORIZING, Effect::kSubmit);
}

Transition next_in_paused(const Machine& machine, const Event& event) {
  // The policy does not know the task any more, say.
  if (event.kind == kFailed) return end(machine, v1::TASK_END_FAILED, event.text);
  if (event.kind != kResumed) return next_anywhere(machine, event);
  Machine changed = machine;
  changed.reason.clear();
  return observe(std::move(changed));
}

}  // namespace

Transition next(const Machine& machine, const Event& event) {
  switch (machine.state) {
    case v1::TASK_STATE_IDLE: return next_in_idle(machine, event);
    case v1::TASK_STATE_OBSERVING: return next_in_observing(machine, event);
    case v1::TASK_STATE_DECIDING: return next_in_deciding(machine, event);
    case v1::TASK_STATE_AUTHORIZING: return next_in_authorizing(machine, event);
    case v1::TASK_STATE_ACTING: return next_in_acting(machine, event);
    case v1::TASK_STATE_VERIFYING: return next_in_verifying(machine, event);
    case v1::TASK_STATE_PAUSED: return next_in_paused(machine, event);
    default: return ignored(machine);
  }
}

}  // namespace da::planner
