#include "tests/services/actuator/contract/stage.h"

namespace da::actuator::contract {
namespace {

class SessionContract : public ContractTest {
 protected:
  ~SessionContract() override { stage_->unlock(); }

  std::optional<SessionObstacle> obstacle() {
    const auto found = desktop_.session().obstacle();
    EXPECT_TRUE(found) << found.error().message;
    return found ? *found : std::nullopt;
  }
};

TEST_F(SessionContract, NothingKeepsInputFromADesktopInUse) {
  const auto obstacle = desktop_.session().obstacle();
  ASSERT_DONE(obstacle);
  EXPECT_FALSE(obstacle->has_value()) << (*obstacle)->reason;
}

TEST_F(SessionContract, AWindowOfTheSameUserTakesInput) {
  EXPECT_TRUE(target_.window.takes_input);
  ASSERT_DONE(desktop_.input().move({target_.pad.x + 5, target_.pad.y + 5}));
}

TEST_F(SessionContract, LockerIsAnObstacleThatGetsNoInput) {
  if (!stage_->lock()) GTEST_SKIP() << "nothing here can lock the desktop";
  ASSERT_TRUE(stage_->eventually([&] { return obstacle().has_value(); }));
  EXPECT_EQ(obstacle()->kind, SessionObstacle::Kind::kLocked);
  EXPECT_NE(obstacle()->reason, "");
  Input& input = desktop_.input();
  const Point at = target_.pad.center();
  const std::vector<std::string> keys{"a"};
  for (const auto& stopped :
       {input.tap(keys, go_on).stopped, input.type(U"secret", Milliseconds(0), go_on).stopped,
        input.click(at, Button::kLeft, 1, Milliseconds(0), go_on).stopped, input.scroll(at, 0, 1, go_on).stopped}) {
    ASSERT_TRUE(stopped);
    EXPECT_EQ(stopped->code, Code::kPermissionDenied) << stopped->message;
  }
  for (const auto& sent : {input.chord(keys, go_on), input.move(at), input.button_down(at, Button::kLeft)}) {
    ASSERT_FALSE(sent);
    EXPECT_EQ(sent.error().code, Code::kPermissionDenied) << sent.error().message;
  }
  EXPECT_FALSE(input.button_held());
}

TEST_F(SessionContract, UnlockedDesktopTakesInputAgain) {
  if (!stage_->lock()) GTEST_SKIP() << "nothing here can lock the desktop";
  ASSERT_TRUE(stage_->eventually([&] { return obstacle().has_value(); }));
  ASSERT_TRUE(desktop_.input().type(U"secret", Milliseconds(0), go_on).stopped);
  stage_->unlock();
  ASSERT_TRUE(stage_->eventually([&] { return !obstacle(); }));
  ASSERT_DONE(desktop_.windows().focus(target_.window.id, stage_->deadline()));
  ASSERT_FALSE(desktop_.input().type(U"open", Milliseconds(0), go_on).stopped);
  EXPECT_TRUE(stage_->eventually([&] { return stage_->text("Target") == "open"; })) << stage_->text("Target");
}

}  // namespace
}  // namespace da::actuator::contract
