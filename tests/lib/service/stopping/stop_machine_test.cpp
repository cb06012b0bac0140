#include "lib/service/stopping/stop_machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace da::service {
namespace {

using testing::HasSubstr;
using testing::Not;
using O = v1::Outcome;
using P = v1::Pause;

v1::Pause pause_of(P::Cause cause, const std::string& reason = "") {
  v1::Pause pause;
  pause.set_cause(cause);
  pause.set_reason(reason);
  return pause;
}

TEST(StopMachine, NothingStopsItAtFirst) {
  const StopMachine machine;
  EXPECT_FALSE(machine.current());
  EXPECT_EQ(in_status(machine.current()), "no");
}

TEST(StopMachine, EachReportReplacesWeakerPausesOnly) {
  const std::vector<P::Cause> order = {P::CAUSE_SESSION_LOCKED, P::CAUSE_CONSOLE, P::CAUSE_PERSON};
  for (std::size_t first = 0; first < order.size(); ++first) {
    for (std::size_t second = 0; second < order.size(); ++second) {
      StopMachine machine;
      ASSERT_TRUE(machine.report(pause_of(order[first]), "da-actuator"));
      EXPECT_EQ(machine.report(pause_of(order[second]), "da-actuator"), second < first) << first << " " << second;
      EXPECT_EQ(machine.paused()->cause, order[std::min(first, second)]);
    }
  }
}

TEST(StopMachine, ADecisionAlsoReplacesAPauseOfItsOwnRank) {
  StopMachine machine;
  EXPECT_TRUE(machine.pause(pause_of(P::CAUSE_CONSOLE, "lunch"), "ada"));
  EXPECT_TRUE(machine.pause(pause_of(P::CAUSE_CONSOLE, "dinner"), "bob"));
  EXPECT_EQ(machine.paused()->by, "bob");
  EXPECT_TRUE(machine.report(pause_of(P::CAUSE_SESSION_LOCKED), "da-actuator"));
  EXPECT_FALSE(machine.pause(pause_of(P::CAUSE_CONSOLE), "ada"));
  EXPECT_EQ(machine.paused()->cause, P::CAUSE_SESSION_LOCKED);
}

TEST(StopMachine, TheActuatorsEchoKeepsThePersonOfAConsolePause) {
  StopMachine machine;
  machine.pause(pause_of(P::CAUSE_CONSOLE, "lunch"), "ada");
  EXPECT_FALSE(machine.report(pause_of(P::CAUSE_CONSOLE, "lunch"), "da-actuator"));
  EXPECT_EQ(machine.paused()->by, "ada");
}

TEST(StopMachine, AnUnknownCauseCountsAsAPersonsDecision) {
  const auto unknown = static_cast<P::Cause>(99);
  StopMachine machine;
  machine.report(pause_of(P::CAUSE_PERSON), "");
  EXPECT_TRUE(machine.report(pause_of(unknown), ""));
  EXPECT_FALSE(machine.report(pause_of(P::CAUSE_CONSOLE), ""));
  EXPECT_EQ(machine.current()->code, O::CODE_PAUSED);
}

TEST(StopMachine, ASilentPolicyIsTheWeakestStopAndNoPause) {
  StopMachine machine;
  EXPECT_FALSE(machine.report(pause_of(P::CAUSE_POLICY_SILENT), ""));
  EXPECT_FALSE(machine.current());
  EXPECT_EQ(machine.current(true)->code, O::CODE_SUSPENDED);
  machine.report(pause_of(P::CAUSE_PERSON), "");
  EXPECT_EQ(machine.current(true)->code, O::CODE_PAUSED);
}

TEST(StopMachine, AHaltIsStrongerThanAPause) {
  StopMachine machine;
  machine.report(pause_of(P::CAUSE_SESSION_LOCKED), "");
  EXPECT_EQ(machine.current()->code, O::CODE_SESSION_LOCKED);
  machine.halt("smoke", "ada");
  EXPECT_EQ(machine.current()->code, O::CODE_HALTED);
  EXPECT_TRUE(*machine.end_halt(machine.count()));
  EXPECT_EQ(machine.current()->code, O::CODE_SESSION_LOCKED);
}

TEST(StopMachine, AResumeEndsNothingThatCameAfterItBegan) {
  StopMachine machine;
  machine.halt("first", "ada");
  machine.pause(pause_of(P::CAUSE_CONSOLE), "ada");
  const auto begun = machine.count();
  machine.halt("second", "bob");
  machine.pause(pause_of(P::CAUSE_CONSOLE), "bob");
  EXPECT_EQ(machine.end_halt(begun).error().code, Code::kAborted);
  EXPECT_EQ(machine.end_pause(begun).error().code, Code::kAborted);
  EXPECT_EQ(machine.halted()->by, "bob");
  EXPECT_EQ(machine.paused()->by, "bob");
  EXPECT_TRUE(*machine.end_halt(machine.count()));
  EXPECT_TRUE(*machine.end_pause(machine.count()));
  EXPECT_FALSE(*machine.end_halt(machine.count())) << "there was none";
  EXPECT_FALSE(*machine.end_pause(machine.count()));
}

// Otherwise a resume that has begun would undo the decision of a person who pauses while the session is locked.
TEST(StopMachine, ADecisionThatChangesNothingStillOutlivesAResume) {
  StopMachine machine;
  machine.report(pause_of(P::CAUSE_SESSION_LOCKED), "da-actuator");
  const auto begun = machine.count();
  EXPECT_FALSE(machine.pause(pause_of(P::CAUSE_CONSOLE), "ada"));
  EXPECT_FALSE(machine.end_pause(begun));
}

TEST(StopMachine, TextNamesCauseReasonAndPerson) {
  StopMachine machine;
  machine.pause(pause_of(P::CAUSE_CONSOLE, "lunch"), "ada");
  EXPECT_EQ(in_words(*machine.paused()), "paused: lunch, by ada");
  EXPECT_EQ(in_status(machine.paused()), "yes: paused: lunch, by ada");
  machine.pause(pause_of(P::CAUSE_CONSOLE, "a\x1b[2J"), "ada");
  EXPECT_THAT(in_words(*machine.paused()), Not(HasSubstr("\x1b")));
  machine.report(pause_of(P::CAUSE_SESSION_LOCKED), "");
  EXPECT_EQ(in_words(*machine.paused()), "the session is locked");
  machine.halt("smoke", "ada");
  EXPECT_EQ(in_words(*machine.halted()), "halted: smoke, by ada");
  EXPECT_EQ(in_status(machine.halted()), "yes: smoke, by ada");
}

// Regression: the status was "halted: yes: , by da-actuator".
TEST(StopMachine, StatusOmitsAnUnknownReason) {
  StopMachine machine;
  machine.halt("", "da-actuator");
  EXPECT_EQ(in_status(machine.halted()), "yes, by da-actuator");
}

}  // namespace
}  // namespace da::service
