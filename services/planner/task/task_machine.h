// The state machine of a task, a pure function: next(machine, event) returns the new state and the effects to perform.
// It has no clock and no I/O; the task runner performs the effects and feeds the results back as events. Any thread.
//
//   Idle -> Observing -> Deciding -> Authorizing -> Acting -> Verifying -> Observing ... -> Terminated
//
// A pause in any state leads through Paused to Observing and costs no turn. The task then repeats the decision, the
// step that was not begun, the planner's own wait or check, or the verification of the last step. A step that was
// interrupted halfway ends the task, unless Limits allows setbacks. Acting is entered only from Authorizing, when the
// policy allows the step. Verifying leads to Authorizing if the plan has more steps. An event that does not fit the
// state (a late answer) changes nothing. Every path ends, because Limits bounds turns, retries and pauses.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "da/v1/outcome.pb.h"
#include "da/v1/task.pb.h"
#include "lib/base/clock.h"

namespace da::planner {

enum class EventKind {
  kStarted,
  kObserved,
  kObserveFailed,  // The observer answered that it cannot capture the desktop.
  kPlanDecided,    // Event.count steps; 0 steps waste the turn.
  kGoalFinished,   // The goal is reached; Event.text is the summary.
  kPlanFailed,     // No step can be proposed: a target is missing or ambiguous.
  kAllowed,
  kDenied,
  kExpired,  // The approval expired.
  kDispatched,
  kConfirmed,
  kNoEffect,     // The verification decides whether that is an error.
  kSkipped,      // A person skipped the step; the task continues.
  kStaleTarget,  // The step was not begun, because the screen had changed: observe again.
  kRefused,
  kFailed,
  kUnknown,  // The step may or may not have been carried out.
  kInterrupted,
  kPaused,  // No step may act now; the current one was not begun. Event.text is the reason.
  kResumed,
  kVerified,
  kVerifiedEndsPlan,  // The rest of the plan does not follow.
  kVerifyFailed,
  kCancelled,
  kHalted,
  kServiceLost,  // Event.text begins with the service's name.
  kTimeLimit,
};
inline constexpr int kEventKinds = static_cast<int>(EventKind::kTimeLimit) + 1;

struct Event {
  EventKind kind;
  std::string text;                                        // Message for people.
  std::uint32_t count = 0;                                 // Steps of a decided plan.
  v1::Outcome::Code code = v1::Outcome::CODE_UNSPECIFIED;  // The step's outcome.
};

enum class Effect {
  kObserve,
  kDecide,       // Decide the next plan, from the latest observation.
  kDecideAgain,  // Decide the last plan again: it was not begun.
  kSubmit,       // Submit Machine.step of the current plan to the policy.
  kVerify,       // Verify the step that was just carried out.
  kAwaitResume,  // Wait until the pause is over.
  kPublishState,
  kEnd,  // The task is over: close it at the policy.
};

struct Limits {
  std::uint32_t max_turns = 12;         // Decisions; a model's default.
  std::uint32_t max_stale_retries = 8;  // Retries of stale steps since one was carried out: see delay_of_retry().
  std::uint32_t max_pauses = 100;       // Pauses without a carried-out step between them.
  std::uint32_t max_failures = 0;       // In a row, before the task fails; after each, the proposer decides again.
  std::uint32_t max_setbacks = 0;       // Likewise denied, expired and interrupted steps.
};

// For proposers whose runs only time limits, because they count failures themselves or leave that to a script.
inline constexpr std::uint32_t kUnlimited = std::numeric_limits<std::uint32_t>::max();
inline constexpr Limits kOnlyTimeLimits{.max_turns = kUnlimited,
                                        .max_stale_retries = kUnlimited,
                                        .max_pauses = kUnlimited,
                                        .max_failures = kUnlimited,
                                        .max_setbacks = kUnlimited};

struct Machine {
  Limits limits;
  v1::TaskState state = v1::TASK_STATE_IDLE;
  std::uint32_t turn = 0;        // Decisions begun.
  std::uint32_t plan_steps = 0;  // Steps of the current plan.
  std::uint32_t step = 0;        // Index of the current step, from 0.
  std::uint32_t stale_retries = 0;
  std::uint32_t pauses = 0;      // Pauses since a step was carried out.
  std::uint32_t failures = 0;    // Failed steps since one was carried out.
  std::uint32_t setbacks = 0;    // Denied, expired or interrupted steps since one was carried out.
  bool again = false;            // The next or current decision repeats the one before.
  bool had_no_effect = false;    // The last step: what follows in its plan may rely on it.
  bool verify_again = false;     // The last step is not verified yet, because of a pause.
  std::uint32_t steps_done = 0;  // Steps carried out in the whole task.
  v1::TaskEnd end = v1::TASK_END_UNSPECIFIED;
  std::string reason;  // Why the task ended or is paused; for people.
};

struct Transition {
  Machine machine;
  std::vector<Effect> effects;
};

Transition next(const Machine& machine, const Event& event);

// How long to wait before the next look after a stale target: nothing at first, 9.5 s in all, so that a cover can go
// away. Nothing where only time limits a run, because its proposer decides itself.
Milliseconds delay_of_retry(const Machine& machine);

}  // namespace da::planner
