#include "services/policy/stopping/pauses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace da::policy {
namespace {

using testing::HasSubstr;
using testing::Not;
using P = v1::Pause;

v1::Pause pause_of(v1::Pause::Cause cause, const std::string& reason = "") {
  v1::Pause pause;
  pause.set_cause(cause);
  pause.set_reason(reason);
  return pause;
}

TEST(Pauses, ConsolePauseLastsUntilItIsEnded) {
  Pauses pauses;
  EXPECT_FALSE(pauses.current());
  EXPECT_TRUE(pauses.begin("lunch", "ada"));
  ASSERT_TRUE(pauses.current());
  EXPECT_EQ(pauses.current()->pause.cause(), P::CAUSE_CONSOLE);
  EXPECT_EQ(pauses.current()->pause.reason(), "lunch");
  EXPECT_EQ(pauses.current()->by, "ada");
  EXPECT_TRUE(*pauses.end(pauses.begun()));
  EXPECT_FALSE(pauses.current());
  EXPECT_FALSE(*pauses.end(pauses.begun())) << "there was none";
}

TEST(Pauses, RepeatedActuatorPauseChangesNothing) {
  Pauses pauses;
  EXPECT_TRUE(pauses.take_over(pause_of(P::CAUSE_PERSON)));
  EXPECT_FALSE(pauses.take_over(pause_of(P::CAUSE_PERSON)));
  EXPECT_EQ(pauses.current()->by, "da-actuator");
}

TEST(Pauses, ActuatorsEchoKeepsThePersonOfAConsolePause) {
  Pauses pauses;
  pauses.begin("lunch", "ada");
  EXPECT_FALSE(pauses.take_over(pause_of(P::CAUSE_CONSOLE, "lunch")));
  EXPECT_EQ(pauses.current()->by, "ada");
}

TEST(Pauses, LockedSessionReplacesEveryOtherPause) {
  Pauses pauses;
  pauses.take_over(pause_of(P::CAUSE_PERSON));
  EXPECT_TRUE(pauses.begin("lunch", "ada"));
  EXPECT_TRUE(pauses.take_over(pause_of(P::CAUSE_SESSION_LOCKED)));
  EXPECT_FALSE(pauses.begin("lunch", "ada"));
  EXPECT_FALSE(pauses.take_over(pause_of(P::CAUSE_PERSON)));
  EXPECT_EQ(pauses.current()->pause.cause(), P::CAUSE_SESSION_LOCKED);
}

TEST(Pauses, MissingHeartbeatIsNoPause) {
  Pauses pauses;
  EXPECT_FALSE(pauses.take_over(pause_of(P::CAUSE_POLICY_SILENT)));
  EXPECT_FALSE(pauses.current());
}

TEST(Pauses, ResumeDoesNotEndALaterPause) {
  Pauses pauses;
  pauses.begin("first", "ada");
  const auto begun = pauses.begun();
  pauses.begin("second", "bob");
  const auto ended = pauses.end(begun);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, Code::kAborted);
  EXPECT_EQ(pauses.current()->by, "bob");
}

TEST(Pauses, WaiterIsNotifiedOfTheEnd) {
  Pauses pauses;
  EXPECT_FALSE(pauses.wait_until_none(Milliseconds(60'000), {})) << "at once where there is none";
  pauses.begin("lunch", "ada");
  EXPECT_TRUE(pauses.wait_until_none(Milliseconds(1), {}));
  std::thread resuming([&] { EXPECT_TRUE(*pauses.end(pauses.begun())); });
  EXPECT_FALSE(pauses.wait_until_none(Milliseconds(60'000), {}));
  resuming.join();
}

TEST(Pauses, TextNamesCauseReasonAndPerson) {
  EXPECT_EQ(in_words({pause_of(P::CAUSE_CONSOLE, "lunch"), "ada"}), "paused: lunch, by ada");
  EXPECT_THAT(in_words({pause_of(P::CAUSE_PERSON), "da-actuator"}), HasSubstr("a person uses the desktop"));
  EXPECT_THAT(in_words({pause_of(P::CAUSE_SESSION_LOCKED), ""}), HasSubstr("locked"));
  EXPECT_THAT(in_words({pause_of(P::CAUSE_CONSOLE, "a\x1b[2J"), "ada"}), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace da::policy
