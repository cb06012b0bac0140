// The life of a task as a pure function: next(machine, event) gives the new state and what is to be done about it.
// Performs nothing and knows no clock; the task runner performs the effects and feeds back what came of them. Any
// thread.
//
//   Idle -> Observing -> Deciding -> Authorizing -> Acting -> Verifying -> Observing ... -> Terminated
//
// A pause may come in any state between the first and the last, and leads through Paused to Observing. What was under
// way then is begun anew: a decision, a step that was not begun (the planner's own waits and checks too, which change
// nothing), or the verification of a step that was carried out. A step that was interrupted in its middle is not: that
// ends the task, as in every other case. A pause costs no turn.
//
// Acting is entered from Authorizing alone, when the policy allowed the step. Where the plan has more steps, Verifying
// leads to Authorizing of the next one. An event that does not belong to a state (an answer that came too late)
// changes nothing and has no effects. Every path ends: turns, repeated tries and pauses of one step are bounded by
// Limits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "da/v1/task.pb.h"

namespace da::planner {

enum class EventKind {
  kStarted,
  kObserved,
  kObserveFailed,  // The observer answered, but could not see: the desktop's trouble, not the observer's.
  kPlanDecided,    // Event.count steps; none is a wasted turn.
  kGoalFinished,   // Nothing is left to do; Event.text is the summary.
  kPlanFailed,     // No step can be proposed: a target is missing or ambiguous.
  kAllowed,
  kDenied,
  kExpired,  // Nobody answered the approval in time.
  kDispatched,
  kConfirmed,
  kNoEffect,     // Whether that matters is told by the verification.
  kSkipped,      // A person left it out; the task goes on.
  kStaleTarget,  // Nothing was begun, because something had changed: look again.
  kRefused,
  kFailed,
  kUnknown,  // It may or may not have happened.
  kInterrupted,
  kPaused,  // Nothing may be done for now, and what was under way was not begun. Event.text says why.
  kResumed,
  kVerified,
  kVerifyFailed,
  kCancelled,
  kHalted,
  kServiceLost,  // Event.text begins with the service's name.
  kTimeLimit,
};
inline constexpr int kEventKinds = static_cast<int>(EventKind::kTimeLimit) + 1;

struct Event {
  EventKind kind;
  std::string text;         // For people.
  std::uint32_t count = 0;  // Steps of a decided plan.
};

enum class Effect {
  kObserve,
  kDecide,       // What to do next, on the latest observation.
  kDecideAgain,  // The same again: its last try was not begun.
  kSubmit,       // Machine.step of the current plan, to the policy.
  kVerify,       // What the step that was just carried out has led to.
  kAwaitResume,  // Until the pause is over.
  kPublishState,
  kEnd,  // The task is over: give up its authority, tell everybody.
};

struct Limits {
  std::uint32_t max_turns = 12;         // Decisions; a model's default.
  std::uint32_t max_stale_retries = 5;  // Of one step, in a row.
  std::uint32_t max_pauses = 100;       // Without a step between them.
  // Steps that fail in a row before the task does; the proposer hears of each, and decides anew.
  std::uint32_t max_failures = 0;
};

struct Machine {
  Limits limits;
  v1::TaskState state = v1::TASK_STATE_IDLE;
  std::uint32_t turn = 0;        // Decisions begun.
  std::uint32_t plan_steps = 0;  // Steps of the current plan.
  std::uint32_t step = 0;        // The one under way, from 0.
  std::uint32_t stale_retries = 0;
  std::uint32_t pauses = 0;      // Since a step was carried out.
  std::uint32_t failures = 0;    // Likewise.
  bool again = false;            // The next decision, or the one under way, repeats the one before.
  bool verify_again = false;     // After a pause: the verification of the last step is still due.
  std::uint32_t steps_done = 0;  // Carried out over the whole task.
  v1::TaskEnd end = v1::TASK_END_UNSPECIFIED;
  std::string reason;  // Why it ended, or is paused; for people.
};

struct Transition {
  Machine machine;
  std::vector<Effect> effects;
};

Transition next(const Machine& machine, const Event& event);

}  // namespace da::planner
