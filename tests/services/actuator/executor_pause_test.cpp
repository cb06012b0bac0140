#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "services/actuator/stopping/user_activity_monitor.h"
#include "tests/acted.h"
#include "tests/services/actuator/executor_fixture.h"

namespace da::actuator {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class ExecutorPauseTest : public ExecutorTest {
 protected:
  static v1::Action button(v1::Mouse::Gesture gesture) {
    v1::Action action = click(300, 200);
    action.mutable_mouse()->set_action(gesture);
    return action;
  }
  // Types 1000 characters and calls `happens` between two chunks.
  v1::Outcome interrupted_by(const std::function<void()>& happens) {
    v1::ExecuteRequest request;
    *request.mutable_action() = write(std::string(1000, 'x'));
    *request.mutable_grant() = grant(prepare(request.action()));
    int asked = 0;
    return executor_.execute(request, [&] {
      if (++asked == 3) happens();
      return false;
    });
  }
  void expect_stopped(const v1::Outcome& outcome, v1::Outcome::Code code) {
    EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_INTERRUPTED);
    EXPECT_EQ(outcome.code(), code) << outcome.message();
    EXPECT_EQ(outcome.total(), 1000U);
    EXPECT_GT(outcome.done(), 0U);
    EXPECT_LT(outcome.done(), 1000U);
    EXPECT_EQ(outcome.done(), world_->text_of("Text").size());
  }

  bool has_ended() { return end_.get_future().wait_for(Milliseconds(10'000)) == std::future_status::ready; }

  std::promise<void> end_;
  UserActivityMonitor person_{*desktop_, executor_, bus_, [this] { end_.set_value(); }};
};

TEST_F(ExecutorPauseTest, APersonsKeyInterruptsTypingAndPausesUntilResume) {
  expect_stopped(interrupted_by([&] { world_->person(PersonInput::kKeyboard); }), v1::Outcome::CODE_PAUSED);
  const auto refused = run(write("y"));
  EXPECT_EQ(refused.kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_EQ(refused.code(), v1::Outcome::CODE_PAUSED);
  EXPECT_EQ(executor_.heartbeat().pause().cause(), v1::Pause::CAUSE_PERSON);
  ASSERT_TRUE(executor_.resume());
  EXPECT_TRUE(test::acted(run(write("y"))));
}

TEST_F(ExecutorPauseTest, APersonsMousePausesForAWhileAfterAnAct) {
  EXPECT_TRUE(test::acted(run(write("x"))));
  clock_.advance(kPersonCountsFor - Milliseconds(1));
  world_->person(PersonInput::kMouse);
  EXPECT_EQ(run(write("x")).code(), v1::Outcome::CODE_PAUSED);
}

TEST_F(ExecutorPauseTest, PersonOnAnIdleDesktopDoesNotPause) {
  world_->person(PersonInput::kMouse);
  EXPECT_TRUE(test::acted(run(write("x"))));
  clock_.advance(kPersonCountsFor);
  world_->person(PersonInput::kKeyboard);
  EXPECT_TRUE(test::acted(run(write("x"))));
}

TEST_F(ExecutorPauseTest, KillSwitchStopsTypingReleasesKeysAndEndsTheProcess) {
  ASSERT_TRUE(test::acted(run(button(v1::Mouse::GESTURE_DOWN))));
  ASSERT_TRUE(world_->holds_anything());
  expect_stopped(interrupted_by([&] { world_->person(PersonInput::kKillSwitch); }), v1::Outcome::CODE_HALTED);
  EXPECT_TRUE(has_ended());
  EXPECT_FALSE(world_->holds_anything());
  EXPECT_THAT((*service::StopLatch::open(directory_ / "state")).halted()->reason, HasSubstr("kill switch"));
}

TEST_F(ExecutorPauseTest, KillSwitchEndsTheProcessWhileACallHoldsTheDesktopLock) {
  const std::lock_guard hung(shared_.mutex);
  world_->person(PersonInput::kKillSwitch);
  EXPECT_TRUE(has_ended());
}

TEST_F(ExecutorPauseTest, KillSwitchEndsTheProcessAfterTheAnswerOfTheStepHasLeft) {
  auto ended = end_.get_future();
  std::optional<UnansweredCalls::Call> call(std::in_place, executor_.unanswered());
  world_->person(PersonInput::kKillSwitch);
  EXPECT_EQ(ended.wait_for(Milliseconds(100)), std::future_status::timeout);
  call.reset();
  EXPECT_EQ(ended.wait_for(Milliseconds(10'000)), std::future_status::ready);
}

TEST_F(ExecutorPauseTest, KillSwitchEndsTheProcessAlsoWhenAnAnswerNeverLeaves) {
  const UnansweredCalls::Call call(executor_.unanswered());
  world_->person(PersonInput::kKillSwitch);
  EXPECT_TRUE(has_ended());
}

TEST_F(ExecutorPauseTest, ALookNoticesALockedSession) {
  EXPECT_FALSE(executor_.hide_reason());
  world_->obstruct_session(SessionObstacle{SessionObstacle::Kind::kLocked, "a locker"});
  EXPECT_EQ(executor_.hide_reason(), "nothing is shown while the session is locked");
  EXPECT_EQ(executor_.heartbeat().pause().cause(), v1::Pause::CAUSE_SESSION_LOCKED);
  world_->obstruct_session(std::nullopt);
  EXPECT_TRUE(executor_.hide_reason()) << "a person has to resume";
  ASSERT_TRUE(executor_.resume());
  EXPECT_FALSE(executor_.hide_reason());
}

TEST_F(ExecutorPauseTest, NothingIsTypedAtALockedSession) {
  expect_stopped(interrupted_by([&] {
                   world_->obstruct_session(SessionObstacle{SessionObstacle::Kind::kLocked, "a locker"});
                 }),
                 v1::Outcome::CODE_SESSION_LOCKED);
  const auto refused = run(write("y"));
  EXPECT_EQ(refused.kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_EQ(refused.code(), v1::Outcome::CODE_SESSION_LOCKED);
  EXPECT_THAT(refused.message(), HasSubstr("a locker"));
  ASSERT_TRUE(executor_.resume());
  EXPECT_EQ(run(write("y")).code(), v1::Outcome::CODE_SESSION_LOCKED) << "it is still locked";
  world_->obstruct_session(std::nullopt);
  EXPECT_EQ(run(write("y")).code(), v1::Outcome::CODE_SESSION_LOCKED) << "a person has to resume";
  ASSERT_TRUE(executor_.resume());
  EXPECT_TRUE(test::acted(run(write("y"))));
}

TEST_F(ExecutorPauseTest, NothingIsDoneWhileAPersonsInputGoesUnseen) {
  expect_stopped(interrupted_by([&] { world_->blind_person_watch("a window in front hides it"); }),
                 v1::Outcome::CODE_UNWATCHED);
  const auto refused = run(write("y"));
  EXPECT_EQ(refused.kind(), v1::Outcome::KIND_REFUSED);
  EXPECT_EQ(refused.code(), v1::Outcome::CODE_UNWATCHED);
  EXPECT_THAT(refused.message(), HasSubstr("a window in front hides it"));
  EXPECT_EQ(run(click(300, 200)).code(), v1::Outcome::CODE_UNWATCHED);
  EXPECT_FALSE(executor_.heartbeat().has_pause());
  world_->blind_person_watch(std::nullopt);
  EXPECT_TRUE(test::acted(run(write("y")))) << "it ends by itself";
}

TEST_F(ExecutorPauseTest, HeldButtonIsReleasedWhenAPersonsInputGoesUnseen) {
  ASSERT_TRUE(test::acted(run(button(v1::Mouse::GESTURE_DOWN))));
  world_->blind_person_watch("a window in front hides it");
  EXPECT_EQ(run(button(v1::Mouse::GESTURE_UP)).code(), v1::Outcome::CODE_UNWATCHED);
  EXPECT_FALSE(world_->holds_anything());
}

TEST_F(ExecutorPauseTest, EachObstacleOfTheSessionHasItsCode) {
  using Kind = SessionObstacle::Kind;
  for (const auto& [kind, code] : {std::pair{Kind::kLocked, v1::Outcome::CODE_SESSION_LOCKED},
                                   {Kind::kSecureDesktop, v1::Outcome::CODE_SECURE_DESKTOP},
                                   {Kind::kDisconnected, v1::Outcome::CODE_DISCONNECTED}}) {
    world_->obstruct_session(SessionObstacle{kind, "the reason"});
    const auto refused = run(write("x"));
    EXPECT_EQ(refused.code(), code);
    EXPECT_THAT(refused.message(), HasSubstr("the reason"));
    EXPECT_TRUE(executor_.hide_reason());
    world_->obstruct_session(std::nullopt);
    ASSERT_TRUE(executor_.resume());
  }
}

TEST_F(ExecutorPauseTest, LockedSessionOverridesAnotherCause) {
  executor_.pause(v1::Pause::CAUSE_CONSOLE, "lunch");
  EXPECT_EQ(run(write("x")).code(), v1::Outcome::CODE_PAUSED);
  world_->obstruct_session(SessionObstacle{SessionObstacle::Kind::kLocked, "a locker"});
  EXPECT_EQ(run(write("x")).code(), v1::Outcome::CODE_SESSION_LOCKED);
  executor_.pause(v1::Pause::CAUSE_PERSON, "the mouse");
  EXPECT_EQ(executor_.heartbeat().pause().cause(), v1::Pause::CAUSE_SESSION_LOCKED);
}

TEST_F(ExecutorPauseTest, NothingIsSuspendedBeforeTheFirstHeartbeat) {
  clock_.advance(Milliseconds(60'000));
  EXPECT_TRUE(test::acted(run(write("x"))));
}

TEST_F(ExecutorPauseTest, SilenceOfThePolicySuspendsUntilItsNextHeartbeat) {
  EXPECT_FALSE(executor_.heartbeat().has_pause());
  clock_.advance(service::kLongestSilence);
  EXPECT_TRUE(test::acted(run(write("x"))));
  clock_.advance(Milliseconds(1));
  EXPECT_EQ(run(write("x")).code(), v1::Outcome::CODE_SUSPENDED);
  EXPECT_FALSE(executor_.heartbeat().has_pause());
  EXPECT_TRUE(test::acted(run(write("x"))));
}

TEST_F(ExecutorPauseTest, SilentPolicyInterruptsARunningStep) {
  (void)executor_.heartbeat();
  const auto outcome = interrupted_by([&] { clock_.advance(service::kLongestSilence + Milliseconds(1)); });
  expect_stopped(outcome, v1::Outcome::CODE_SUSPENDED);
}

TEST_F(ExecutorPauseTest, HeartbeatReplyReportsAHalt) {
  executor_.halt("enough");
  const auto reply = executor_.heartbeat();
  EXPECT_TRUE(reply.halted());
  EXPECT_EQ(reply.halt_reason(), "enough");
}

TEST_F(ExecutorPauseTest, HeldButtonIsReleasedByEveryInterruption) {
  const auto released_by = [&](const std::function<void()>& happens) {
    EXPECT_TRUE(test::acted(run(button(v1::Mouse::GESTURE_DOWN))));
    EXPECT_TRUE(world_->holds_anything());
    happens();
    const bool released = !world_->holds_anything();
    EXPECT_TRUE(executor_.resume());
    EXPECT_TRUE(test::acted(run(button(v1::Mouse::GESTURE_UP))));
    return released;
  };
  EXPECT_FALSE(released_by([&] { run(button(v1::Mouse::GESTURE_MOVE)); }));
  EXPECT_FALSE(released_by([&] { executor_.check_held_input(); }));
  EXPECT_TRUE(released_by([&] { executor_.pause(v1::Pause::CAUSE_CONSOLE, "lunch"); }));
  EXPECT_TRUE(released_by([&] { executor_.halt("enough"); }));
  EXPECT_TRUE(released_by([&] { world_->person(PersonInput::kMouse); }));
  EXPECT_TRUE(released_by([&] { prepare(click(300, 200), "another task"); }));
  EXPECT_TRUE(released_by([&] { execute(click(300, 200), v1::Grant()); })) << "a step that is refused";
  EXPECT_TRUE(released_by([&] {
    clock_.advance(kLongestHold + Milliseconds(1));
    executor_.check_held_input();
  }));
  EXPECT_TRUE(released_by([&] {
    (void)executor_.heartbeat();
    clock_.advance(service::kLongestSilence + Milliseconds(1));
    executor_.check_held_input();
    (void)executor_.heartbeat();
  }));
}

// The click would drop the dragged object, and the rules for drags would not be asked.
TEST_F(ExecutorPauseTest, NoElementIsClickedByNameWhileAButtonIsHeld) {
  run(button(v1::Mouse::GESTURE_DOWN));
  v1::Action action;
  action.mutable_ui_click()->set_element_id(
      shared_.elements.id_of(desktop_->ui_tree().read(std::nullopt, {})->elements.front().handle));
  const auto outcome = run(action);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_NOT_ACTIONABLE) << outcome.message();
  EXPECT_FALSE(world_->holds_anything());
  EXPECT_THAT(outcome.message(), HasSubstr("the held button was released"));
}

// With it the policy judges a move as a drag, and a drag that has ended is not continued.
TEST_F(ExecutorPauseTest, EvidenceReportsAHeldButton) {
  EXPECT_FALSE(prepare(button(v1::Mouse::GESTURE_MOVE)).button_held());
  run(button(v1::Mouse::GESTURE_DOWN));
  const v1::Evidence held = prepare(button(v1::Mouse::GESTURE_MOVE));
  EXPECT_TRUE(held.button_held());
  desktop_->input().release_all();
  EXPECT_EQ(execute(button(v1::Mouse::GESTURE_MOVE), grant(held)).code(), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_FALSE(prepare(button(v1::Mouse::GESTURE_MOVE)).button_held());
}

}  // namespace
}  // namespace da::actuator
