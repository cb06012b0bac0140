#include "services/planner/task/task_machine.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <optional>

namespace da::planner {
namespace {

using enum EventKind;

constexpr auto kIdle = v1::TASK_STATE_IDLE;
constexpr auto kObserving = v1::TASK_STATE_OBSERVING;
constexpr auto kDeciding = v1::TASK_STATE_DECIDING;
constexpr auto kAuthorizing = v1::TASK_STATE_AUTHORIZING;
constexpr auto kActing = v1::TASK_STATE_ACTING;
constexpr auto kVerifying = v1::TASK_STATE_VERIFYING;
constexpr auto kPausedState = v1::TASK_STATE_PAUSED;
constexpr auto kTerminated = v1::TASK_STATE_TERMINATED;
constexpr v1::TaskState kStates[] = {kIdle,   kObserving, kDeciding,    kAuthorizing,
                                     kActing, kVerifying, kPausedState, kTerminated};

struct Expected {
  v1::TaskState state;
  std::optional<Effect> effect;  // Besides the publication of the state.
  v1::TaskEnd end = v1::TASK_END_UNSPECIFIED;
};

Expected ends(v1::TaskEnd end) { return {kTerminated, Effect::kEnd, end}; }

using Transitions = std::map<EventKind, Expected>;

// Transitions of all states between the first and the last.
Transitions pausable(Transitions row) {
  row.emplace(kPaused, Expected{kPausedState, Effect::kAwaitResume});
  return row;
}

// Transitions that end the task in every state.
Transitions stoppable(Transitions row) {
  row.emplace(kCancelled, ends(v1::TASK_END_CANCELLED));
  row.emplace(kHalted, ends(v1::TASK_END_HALTED));
  row.emplace(kServiceLost, ends(v1::TASK_END_SERVICE_LOST));
  row.emplace(kTimeLimit, ends(v1::TASK_END_FAILED));
  return row;
}

// All transitions; an event that is not listed for a state changes nothing.
const std::map<v1::TaskState, Transitions>& table() {
  static const std::map<v1::TaskState, Transitions> kTable = {
      {kIdle, stoppable({{kStarted, {kObserving, Effect::kObserve}}})},
      {kObserving,
       stoppable(pausable({{kObserved, {kDeciding, Effect::kDecide}}, {kObserveFailed, ends(v1::TASK_END_FAILED)}}))},
      {kDeciding, stoppable(pausable({{kPlanDecided, {kAuthorizing, Effect::kSubmit}},
                                      {kGoalFinished, ends(v1::TASK_END_DONE)},
                                      {kPlanFailed, ends(v1::TASK_END_FAILED)},
                                      {kDenied, ends(v1::TASK_END_DENIED)},
                                      {kExpired, ends(v1::TASK_END_EXPIRED)}}))},
      {kAuthorizing, stoppable(pausable({{kAllowed, {kActing, std::nullopt}},
                                         {kDenied, ends(v1::TASK_END_DENIED)},
                                         {kExpired, ends(v1::TASK_END_EXPIRED)},
                                         {kStaleTarget, {kObserving, Effect::kObserve}},
                                         {kRefused, ends(v1::TASK_END_FAILED)},
                                         {kFailed, ends(v1::TASK_END_FAILED)},
                                         {kUnknown, ends(v1::TASK_END_UNKNOWN_OUTCOME)}}))},
      {kActing, stoppable(pausable({{kDispatched, {kVerifying, Effect::kVerify}},
                                    {kConfirmed, {kVerifying, Effect::kVerify}},
                                    {kNoEffect, {kVerifying, Effect::kVerify}},
                                    {kSkipped, {kVerifying, Effect::kVerify}},
                                    {kStaleTarget, {kObserving, Effect::kObserve}},
                                    {kDenied, ends(v1::TASK_END_DENIED)},
                                    {kExpired, ends(v1::TASK_END_EXPIRED)},
                                    {kRefused, ends(v1::TASK_END_FAILED)},
                                    {kFailed, ends(v1::TASK_END_FAILED)},
                                    {kInterrupted, ends(v1::TASK_END_FAILED)},
                                    {kUnknown, ends(v1::TASK_END_UNKNOWN_OUTCOME)}}))},
      {kVerifying, stoppable(pausable({{kVerified, {kObserving, Effect::kObserve}},
                                       {kVerifiedEndsPlan, {kObserving, Effect::kObserve}},
                                       {kVerifyFailed, ends(v1::TASK_END_FAILED)}}))},
      {kPausedState, stoppable({{kResumed, {kObserving, Effect::kObserve}}, {kFailed, ends(v1::TASK_END_FAILED)}})},
      {kTerminated, {}},
  };
  return kTable;
}

Machine machine_in(v1::TaskState state) {
  Machine machine;
  machine.state = state;
  machine.plan_steps = 1;
  if (state == kTerminated) machine.end = v1::TASK_END_DONE;
  return machine;
}

void expect_transition(v1::TaskState state, EventKind kind, const Transition& transition) {
  SCOPED_TRACE(v1::TaskState_Name(state) + " and event " + std::to_string(static_cast<int>(kind)));
  const Transitions& row = table().at(state);
  const auto expected = row.find(kind);
  if (expected == row.end()) {
    EXPECT_EQ(transition.machine.state, state);
    EXPECT_TRUE(transition.effects.empty());
    return;
  }
  std::vector<Effect> effects = {Effect::kPublishState};
  if (expected->second.effect) effects.push_back(*expected->second.effect);
  EXPECT_EQ(transition.machine.state, expected->second.state);
  EXPECT_EQ(transition.effects, effects);
  EXPECT_EQ(transition.machine.end, expected->second.end);
}

TEST(TaskMachine, EveryTransitionMatchesTheTable) {
  for (const v1::TaskState state : kStates) {
    for (int kind = 0; kind < kEventKinds; ++kind) {
      const Event event{static_cast<EventKind>(kind), "why", 1};
      expect_transition(state, event.kind, next(machine_in(state), event));
    }
  }
}

TEST(TaskMachine, KeepsTheReasonOfTheEnd) {
  const auto ended = next(machine_in(kDeciding), {kPlanFailed, "nothing is called Save"});
  EXPECT_EQ(ended.machine.reason, "nothing is called Save");
}

TEST(TaskMachine, SubmitsEachStepOfAPlanBeforeItObservesAgain) {
  Machine machine = next(machine_in(kDeciding), {kPlanDecided, {}, 2}).machine;
  machine = next(machine, {kAllowed}).machine;
  machine = next(machine, {kDispatched}).machine;
  const auto second = next(machine, {kVerified});
  EXPECT_EQ(second.machine.state, kAuthorizing);
  EXPECT_EQ(second.machine.step, 1u);
  machine = next(second.machine, {kAllowed}).machine;
  machine = next(machine, {kConfirmed}).machine;
  machine = next(machine, {kVerified}).machine;
  EXPECT_EQ(machine.state, kObserving);
  EXPECT_EQ(machine.steps_done, 2u);
}

TEST(TaskMachine, DecidesTheSameAgainAfterAStaleTarget) {
  const Machine machine = next(machine_in(kActing), {kStaleTarget}).machine;
  const auto decided = next(machine, {kObserved});
  EXPECT_EQ(decided.effects.back(), Effect::kDecideAgain);
  EXPECT_FALSE(next(decided.machine, {kPlanDecided, {}, 1}).machine.again);
}

// Pauses and resumes; returns the effect after the next observation.
Effect after_pause(Machine machine) {
  machine = next(machine, {kPaused, "lunch"}).machine;
  EXPECT_EQ(machine.state, kPausedState);
  EXPECT_EQ(machine.reason, "lunch");
  machine = next(machine, {kResumed}).machine;
  EXPECT_EQ(machine.state, kObserving);
  EXPECT_EQ(machine.reason, "");
  return next(machine, {kObserved}).effects.back();
}

TEST(TaskMachine, PausedWorkIsRepeatedAfterResume) {
  EXPECT_EQ(after_pause(machine_in(kObserving)), Effect::kDecide);
  EXPECT_EQ(after_pause(machine_in(kDeciding)), Effect::kDecide);
  EXPECT_EQ(after_pause(machine_in(kAuthorizing)), Effect::kDecideAgain) << "the step was not begun";
  EXPECT_EQ(after_pause(machine_in(kActing)), Effect::kDecideAgain) << "the step was refused";
  EXPECT_EQ(after_pause(machine_in(kVerifying)), Effect::kVerify) << "the step was carried out";
}

TEST(TaskMachine, RepeatedDecisionIsStillRepeatedAfterAPause) {
  Machine machine = next(machine_in(kActing), {kStaleTarget}).machine;
  EXPECT_EQ(after_pause(machine), Effect::kDecideAgain);
  machine = next(machine, {kObserved}).machine;
  ASSERT_EQ(machine.state, kDeciding);
  EXPECT_EQ(after_pause(machine), Effect::kDecideAgain);
}

TEST(TaskMachine, PausedVerificationRunsOnceAfterResume) {
  Machine machine = machine_in(kVerifying);
  for (int i = 0; i < 3; ++i) {
    machine = next(machine, {kPaused}).machine;
    machine = next(machine, {kResumed}).machine;
  }
  machine = next(machine, {kObserved}).machine;
  ASSERT_EQ(machine.state, kVerifying);
  machine = next(machine, {kVerified}).machine;
  EXPECT_EQ(next(machine, {kObserved}).effects.back(), Effect::kDecide);
}

TEST(TaskMachine, AStepThatWasInterruptedIsNotRepeated) {
  const auto ended = next(machine_in(kActing), {kInterrupted, "interrupted after 40 of 100"});
  EXPECT_EQ(ended.machine.end, v1::TASK_END_FAILED);
  EXPECT_EQ(ended.machine.reason, "interrupted after 40 of 100");
}

TEST(TaskMachine, SetbacksWithinTheLimitLeadToTheNextDecision) {
  for (const auto kind : {kDenied, kExpired, kInterrupted}) {
    Machine machine = machine_in(kActing);
    machine.limits.max_setbacks = 1;
    const auto first = next(machine, {kind});
    EXPECT_EQ(first.machine.state, kObserving);
    EXPECT_EQ(first.machine.setbacks, 1u);
    machine = first.machine;
    machine.state = kActing;
    EXPECT_EQ(next(machine, {kind}).machine.state, kTerminated);
    EXPECT_EQ(next(machine, {kConfirmed}).machine.setbacks, 0u) << "a step that was carried out begins anew";
  }
}

TEST(TaskMachine, UnknownOutcomeEndsTheTaskInSpiteOfAllowedSetbacks) {
  Machine machine = machine_in(kActing);
  machine.limits.max_setbacks = 10;
  machine.limits.max_failures = 10;
  EXPECT_EQ(next(machine, {kUnknown}).machine.end, v1::TASK_END_UNKNOWN_OUTCOME);
}

TEST(TaskMachine, APauseCostsNoTurn) {
  Machine machine = next(Machine(), {kStarted}).machine;
  for (int i = 0; i < 50; ++i) {
    machine = next(machine, {kObserved}).machine;
    machine = next(machine, {kPlanDecided, {}, 1}).machine;
    machine = next(machine, {kPaused}).machine;
    machine = next(machine, {kResumed}).machine;
  }
  machine = next(machine, {kObserved}).machine;
  EXPECT_EQ(machine.state, kDeciding);
  EXPECT_EQ(machine.turn, 1u);
}

TEST(TaskMachine, GivesUpOnAStepThatIsPausedAllTheTime) {
  Machine machine = machine_in(kObserving);
  for (std::uint32_t i = 0; i < machine.limits.max_pauses; ++i) {
    machine = next(machine, {kPaused}).machine;
    machine = next(machine, {kResumed}).machine;
  }
  const auto last = next(machine, {kPaused, "a person uses the desktop"});
  EXPECT_EQ(last.machine.end, v1::TASK_END_FAILED);
  EXPECT_NE(last.machine.reason.find("a person uses the desktop"), std::string::npos);
  machine.state = kActing;
  EXPECT_EQ(next(machine, {kConfirmed}).machine.pauses, 0u) << "a step that was carried out begins anew";
}

TEST(TaskMachine, GivesUpOnAStepThatIsStaleTooOften) {
  Machine machine = machine_in(kActing);
  for (std::uint32_t i = 0; i < machine.limits.max_stale_retries; ++i) {
    machine = next(machine, {kStaleTarget}).machine;
    ASSERT_EQ(machine.state, kObserving);
    machine.state = kActing;
  }
  const auto last = next(machine, {kStaleTarget, "the window moved"});
  EXPECT_EQ(last.machine.end, v1::TASK_END_FAILED);
  EXPECT_NE(last.machine.reason.find("the window moved (tried 9 times"), std::string::npos) << last.machine.reason;
}

TEST(TaskMachine, WaitsLongerBeforeEachRetryOfAStaleStep) {
  Machine machine = machine_in(kActing);
  std::vector<int> waits;
  for (std::uint32_t i = 0; i < machine.limits.max_stale_retries; ++i) {
    machine = next(machine, {kStaleTarget}).machine;
    waits.push_back(static_cast<int>(delay_of_retry(machine).count()));
    machine.state = kActing;
  }
  EXPECT_EQ(waits, (std::vector<int>{0, 100, 200, 400, 800, 1'600, 3'200, 3'200}));
  machine.limits = kOnlyTimeLimits;
  EXPECT_EQ(delay_of_retry(next(machine, {kStaleTarget}).machine), Milliseconds(0));
}

TEST(TaskMachine, CountsStaleTriesOfEachStepByItself) {
  Machine machine = machine_in(kActing);
  machine.stale_retries = machine.limits.max_stale_retries;
  EXPECT_EQ(next(machine, {kConfirmed}).machine.stale_retries, 0u);
}

TEST(TaskMachine, AModelHasTwelveTurnsAndWastedOnesCount) {
  Machine machine = next(Machine(), {kStarted}).machine;
  for (int turn = 0; turn < 12; ++turn) {
    machine = next(machine, {kObserved}).machine;
    ASSERT_EQ(machine.state, kDeciding);
    machine = next(machine, {kPlanDecided, {}, 0}).machine;
  }
  machine = next(machine, {kObserved}).machine;
  EXPECT_EQ(machine.end, v1::TASK_END_FAILED);
  EXPECT_NE(machine.reason.find("12 turns"), std::string::npos);
}

Event random_event() {
  return {static_cast<EventKind>(*rc::gen::inRange(0, kEventKinds)), "why", *rc::gen::inRange<std::uint32_t>(0, 5)};
}

TEST(TaskMachineProperty, ActingIsEnteredOnlyFromAuthorizingByAllowed) {
  EXPECT_TRUE(rc::check([] {
    Machine machine;
    for (int i = 0; i < 200; ++i) {
      const Event event = random_event();
      const Transition transition = next(machine, event);
      if (transition.machine.state == kActing && machine.state != kActing) {
        RC_ASSERT(machine.state == kAuthorizing);
        RC_ASSERT(event.kind == kAllowed);
      }
      if (machine.state == kDeciding) RC_ASSERT(transition.machine.state != kActing);
      machine = transition.machine;
    }
  }));
}

TEST(TaskMachineProperty, TheEndIsFinalAndAlwaysHasAnEndValue) {
  EXPECT_TRUE(rc::check([] {
    Machine machine;
    for (int i = 0; i < 200; ++i) {
      const Transition transition = next(machine, random_event());
      if (machine.state == kTerminated) RC_ASSERT(transition.effects.empty());
      RC_ASSERT((transition.machine.state == kTerminated) == (transition.machine.end != v1::TASK_END_UNSPECIFIED));
      machine = transition.machine;
    }
  }));
}

// The possible answers to an effect, except those that end the task at once.
std::vector<EventKind> answers_to(const Machine& machine) {
  switch (machine.state) {
    case kObserving: return {kObserved, kObserved, kPaused};
    case kDeciding: return {kPlanDecided, kPlanDecided, kPaused};
    case kAuthorizing: return {kAllowed, kAllowed, kAllowed, kStaleTarget, kPaused};
    case kActing: return {kDispatched, kConfirmed, kNoEffect, kSkipped, kStaleTarget, kPaused};
    case kVerifying: return {kVerified, kVerified, kPaused};
    case kPausedState: return {kResumed};
    default: return {};
  }
}

TEST(TaskMachineProperty, EveryPathEndsWithinItsBounds) {
  EXPECT_TRUE(rc::check([] {
    Machine machine;
    machine.limits.max_turns = *rc::gen::inRange<std::uint32_t>(1, 40);
    machine.limits.max_stale_retries = *rc::gen::inRange<std::uint32_t>(0, 8);
    machine.limits.max_pauses = *rc::gen::inRange<std::uint32_t>(0, 8);
    // A turn is an observation, a decision, and four steps of verdict, outcome and verification. Each step may be
    // paused, which costs at most a whole turn and the resume.
    const std::uint32_t turn = 2 + 4 * 3;
    const std::uint32_t pauses = (4 * machine.limits.max_turns + 1) * (machine.limits.max_pauses + 1);
    const std::uint32_t most = 2 + (machine.limits.max_turns + pauses) * (turn + 2);
    machine = next(machine, {kStarted}).machine;
    std::uint32_t events = 1;
    for (; machine.state != kTerminated; ++events) {
      RC_ASSERT(events <= most);
      const Event event{*rc::gen::elementOf(answers_to(machine)), "why", *rc::gen::inRange<std::uint32_t>(0, 5)};
      machine = next(machine, event).machine;
    }
    RC_ASSERT(machine.end == v1::TASK_END_FAILED);
  }));
}

// Bug: after a click that had no effect, the rest of a model's plan was carried out.
TEST(TaskMachine, StepsAfterOneWithoutEffectAreDecidedAgain) {
  for (const auto& [outcome, state] : {std::pair(kNoEffect, kObserving), std::pair(kDispatched, kAuthorizing)}) {
    Machine machine;
    machine.state = kActing;
    machine.plan_steps = 3;
    const Machine acted = next(machine, {outcome, {}}).machine;
    EXPECT_EQ(next(acted, {kVerified, {}}).machine.state, state);
  }
}

}  // namespace
}  // namespace da::planner
