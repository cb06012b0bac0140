#include "services/planner/task_machine.h"

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
constexpr auto kTerminated = v1::TASK_STATE_TERMINATED;
constexpr v1::TaskState kStates[] = {kIdle, kObserving, kDeciding, kAuthorizing, kActing, kVerifying, kTerminated};

struct Expected {
  v1::TaskState state;
  std::optional<Effect> effect;  // Besides the publication of the state.
  v1::TaskEnd end = v1::TASK_END_UNSPECIFIED;
};

Expected ends(v1::TaskEnd end) { return {kTerminated, Effect::kEnd, end}; }

using Row = std::map<EventKind, Expected>;

// What stops a task wherever it is.
Row stoppable(Row row) {
  row.emplace(kCancelled, ends(v1::TASK_END_CANCELLED));
  row.emplace(kHalted, ends(v1::TASK_END_HALTED));
  row.emplace(kServiceLost, ends(v1::TASK_END_SERVICE_LOST));
  row.emplace(kTimeLimit, ends(v1::TASK_END_FAILED));
  return row;
}

// Every transition that there is; a pair that is not listed changes nothing.
const std::map<v1::TaskState, Row>& table() {
  static const std::map<v1::TaskState, Row> kTable = {
      {kIdle, stoppable({{kStarted, {kObserving, Effect::kObserve}}})},
      {kObserving, stoppable({{kObserved, {kDeciding, Effect::kDecide}}, {kObserveFailed, ends(v1::TASK_END_FAILED)}})},
      {kDeciding, stoppable({{kPlanDecided, {kAuthorizing, Effect::kSubmit}},
                             {kGoalFinished, ends(v1::TASK_END_DONE)},
                             {kPlanFailed, ends(v1::TASK_END_FAILED)}})},
      {kAuthorizing, stoppable({{kAllowed, {kActing, std::nullopt}},
                                {kDenied, ends(v1::TASK_END_DENIED)},
                                {kExpired, ends(v1::TASK_END_DENIED)},
                                {kStaleTarget, {kObserving, Effect::kObserve}},
                                {kRefused, ends(v1::TASK_END_FAILED)},
                                {kFailed, ends(v1::TASK_END_FAILED)},
                                {kUnknown, ends(v1::TASK_END_UNKNOWN_OUTCOME)}})},
      {kActing, stoppable({{kDispatched, {kVerifying, Effect::kVerify}},
                           {kConfirmed, {kVerifying, Effect::kVerify}},
                           {kNoEffect, {kVerifying, Effect::kVerify}},
                           {kSkipped, {kVerifying, Effect::kVerify}},
                           {kStaleTarget, {kObserving, Effect::kObserve}},
                           {kDenied, ends(v1::TASK_END_DENIED)},
                           {kExpired, ends(v1::TASK_END_DENIED)},
                           {kRefused, ends(v1::TASK_END_FAILED)},
                           {kFailed, ends(v1::TASK_END_FAILED)},
                           {kInterrupted, ends(v1::TASK_END_FAILED)},
                           {kUnknown, ends(v1::TASK_END_UNKNOWN_OUTCOME)}})},
      {kVerifying,
       stoppable({{kVerified, {kObserving, Effect::kObserve}}, {kVerifyFailed, ends(v1::TASK_END_FAILED)}})},
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
  const Row& row = table().at(state);
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

TEST(TaskMachine, EveryStateTimesEveryEventIsAsTheTableSays) {
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
  EXPECT_FALSE(decided.machine.again);
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
  EXPECT_NE(last.machine.reason.find("6 times: the window moved"), std::string::npos) << last.machine.reason;
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

TEST(TaskMachineProperty, ActingIsEnteredFromAuthorizingByAnAllowanceAlone) {
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

// The answers that an effect can get, but for those that end the task at once.
std::vector<EventKind> answers_to(const Machine& machine) {
  switch (machine.state) {
    case kObserving: return {kObserved};
    case kDeciding: return {kPlanDecided};
    case kAuthorizing: return {kAllowed, kAllowed, kAllowed, kStaleTarget};
    case kActing: return {kDispatched, kConfirmed, kNoEffect, kSkipped, kStaleTarget};
    case kVerifying: return {kVerified};
    default: return {};
  }
}

TEST(TaskMachineProperty, EveryPathEndsWithinItsBounds) {
  EXPECT_TRUE(rc::check([] {
    Machine machine;
    machine.limits.max_turns = *rc::gen::inRange<std::uint32_t>(1, 40);
    machine.limits.max_stale_retries = *rc::gen::inRange<std::uint32_t>(0, 8);
    // A turn is an observation, a decision, and four steps of verdict, outcome and verification.
    const std::uint32_t most = 2 + machine.limits.max_turns * (2 + 4 * 3);
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

}  // namespace
}  // namespace da::planner
