#include "services/planner/task/task_machine.h"

#include <algorithm>
#include <utility>

namespace da::planner {
namespace {

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
               why + " (tried " + std::to_string(machine.stale_retries + 1) + " times, each after a new look)");
  }
  ++machine.stale_retries;
  machine.again = true;
  return observe(std::move(machine));
}

// Also drops the rest of the plan, which assumes that this step succeeds.
Transition failed(Machine machine, const std::string& why) {
  if (machine.failures >= machine.limits.max_failures) return end(std::move(machine), v1::TASK_END_FAILED, why);
  ++machine.failures;
  machine.again = false;
  return observe(std::move(machine));
}

// A denied, expired or interrupted step.
Transition set_back(Machine machine, v1::TaskEnd end_as, const std::string& why) {
  if (machine.setbacks >= machine.limits.max_setbacks) return end(std::move(machine), end_as, why);
  ++machine.setbacks;
  machine.again = false;
  return observe(std::move(machine));
}

// Takes the last turn back: its decision was not carried out.
Machine undo_turn(Machine machine) {
  if (machine.turn > 0) --machine.turn;
  return machine;
}

Machine not_begun(Machine machine) {
  machine.again = true;
  return undo_turn(std::move(machine));
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

// Events that have the same effect in every state but the last.
Transition next_anywhere(const Machine& machine, const Event& event) {
  switch (event.kind) {
    case EventKind::kCancelled: return end(machine, v1::TASK_END_CANCELLED, event.text);
    case EventKind::kHalted: return end(machine, v1::TASK_END_HALTED, event.text);
    case EventKind::kServiceLost: return end(machine, v1::TASK_END_SERVICE_LOST, event.text);
    case EventKind::kTimeLimit: return end(machine, v1::TASK_END_FAILED, event.text);
    default: return ignored(machine);
  }
}

Transition next_in_idle(const Machine& machine, const Event& event) {
  if (event.kind == EventKind::kStarted) return observe(machine);
  return next_anywhere(machine, event);
}

Transition next_in_observing(const Machine& machine, const Event& event) {
  if (event.kind == EventKind::kObserved && machine.verify_again) {
    Machine changed = machine;
    changed.verify_again = false;
    return enter(std::move(changed), v1::TASK_STATE_VERIFYING, Effect::kVerify);
  }
  if (event.kind == EventKind::kObserved) return decide(machine);
  if (event.kind == EventKind::kPaused) return pause(machine, event.text);
  if (event.kind == EventKind::kObserveFailed) return end(machine, v1::TASK_END_FAILED, event.text);
  return next_anywhere(machine, event);
}

Transition next_in_deciding(const Machine& machine, const Event& event) {
  switch (event.kind) {
    case EventKind::kPlanDecided: {
      Machine changed = machine;
      changed.again = false;
      if (event.count == 0) return observe(std::move(changed));
      changed.plan_steps = event.count;
      changed.step = 0;
      return enter(std::move(changed), v1::TASK_STATE_AUTHORIZING, Effect::kSubmit);
    }
    case EventKind::kGoalFinished: return end(machine, v1::TASK_END_DONE, event.text);
    case EventKind::kPlanFailed: return end(machine, v1::TASK_END_FAILED, event.text);
    case EventKind::kDenied: return end(machine, v1::TASK_END_DENIED, event.text);
    case EventKind::kExpired: return end(machine, v1::TASK_END_EXPIRED, event.text);
    case EventKind::kPaused: return pause(undo_turn(machine), event.text);
    default: return next_anywhere(machine, event);
  }
}

Transition next_in_authorizing(const Machine& machine, const Event& event) {
  switch (event.kind) {
    case EventKind::kAllowed: {
      // No effect starts the step: the policy judges a step and has it carried out in one call.
      Machine changed = machine;
      changed.state = v1::TASK_STATE_ACTING;
      return {std::move(changed), {Effect::kPublishState}};
    }
    case EventKind::kDenied: return set_back(machine, v1::TASK_END_DENIED, event.text);
    case EventKind::kExpired: return set_back(machine, v1::TASK_END_EXPIRED, event.text);
    case EventKind::kPaused: return pause(not_begun(machine), event.text);
    // The actuator could not prepare the step, so the policy did not judge it.
    case EventKind::kStaleTarget: return look_again(machine, event.text);
    case EventKind::kRefused:
    case EventKind::kFailed: return failed(machine, event.text);
    // The connection to the policy broke; the step may have been carried out.
    case EventKind::kUnknown: return end(machine, v1::TASK_END_UNKNOWN_OUTCOME, event.text);
    default: return next_anywhere(machine, event);
  }
}

Transition next_in_acting(const Machine& machine, const Event& event) {
  switch (event.kind) {
    case EventKind::kDispatched:
    case EventKind::kConfirmed:
    case EventKind::kNoEffect: {
      Machine changed = machine;
      ++changed.steps_done;
      changed.had_no_effect = event.kind == EventKind::kNoEffect;
      changed.stale_retries = 0;
      changed.pauses = 0;
      changed.failures = 0;
      changed.setbacks = 0;
      return enter(std::move(changed), v1::TASK_STATE_VERIFYING, Effect::kVerify);
    }
    case EventKind::kSkipped: {
      Machine changed = machine;
      changed.had_no_effect = false;
      return enter(std::move(changed), v1::TASK_STATE_VERIFYING, Effect::kVerify);
    }
    case EventKind::kStaleTarget: return look_again(machine, event.text);
    case EventKind::kPaused: return pause(not_begun(machine), event.text);
    // A person may withdraw the approval between the verdict and the action.
    case EventKind::kDenied: return set_back(machine, v1::TASK_END_DENIED, event.text);
    case EventKind::kExpired: return set_back(machine, v1::TASK_END_EXPIRED, event.text);
    case EventKind::kRefused:
    case EventKind::kFailed: return failed(machine, event.text);
    case EventKind::kInterrupted: return set_back(machine, v1::TASK_END_FAILED, event.text);
    case EventKind::kUnknown: return end(machine, v1::TASK_END_UNKNOWN_OUTCOME, event.text);
    default: return next_anywhere(machine, event);
  }
}

Transition next_in_verifying(const Machine& machine, const Event& event) {
  if (event.kind == EventKind::kVerifyFailed) return end(machine, v1::TASK_END_FAILED, event.text);
  if (event.kind == EventKind::kPaused) return pause(not_verified(machine), event.text);
  if (event.kind == EventKind::kVerifiedEndsPlan) return observe(machine);
  if (event.kind != EventKind::kVerified) return next_anywhere(machine, event);
  if (machine.step + 1 >= machine.plan_steps || machine.had_no_effect) return observe(machine);
  Machine changed = machine;
  ++changed.step;
  return enter(std::move(changed), v1::TASK_STATE_AUTHORIZING, Effect::kSubmit);
}

Transition next_in_paused(const Machine& machine, const Event& event) {
  // For example, the policy no longer knows the task.
  if (event.kind == EventKind::kFailed) return end(machine, v1::TASK_END_FAILED, event.text);
  if (event.kind != EventKind::kResumed) return next_anywhere(machine, event);
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

Milliseconds delay_of_retry(const Machine& machine) {
  constexpr Milliseconds kSecond{100};  // Delay of the second retry; doubles with each later one.
  constexpr std::uint32_t kMostDoublings = 5;
  if (!machine.again || machine.stale_retries < 2 || machine.limits.max_stale_retries == kUnlimited)
    return Milliseconds(0);
  return kSecond * (1U << std::min(machine.stale_retries - 2, kMostDoublings));
}

}  // namespace da::planner
