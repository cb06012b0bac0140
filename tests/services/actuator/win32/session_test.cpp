#include "services/actuator/desktop/win32/input/input_mark.h"
#include "services/actuator/desktop/win32/input/win32_input.h"
#include "services/actuator/desktop/win32/session/session_claim.h"
#include "tests/services/actuator/win32/stage.h"

namespace da::actuator {
namespace {

struct SessionWithObstacle final : Session {
  Result<std::optional<SessionObstacle>> obstacle() override { return now; }
  std::optional<SessionObstacle> now;
};

Point cursor() {
  POINT at{};
  EXPECT_TRUE(::GetCursorPos(&at));
  return {at.x, at.y};
}

TEST(Win32SessionTest, TheDesktopIsNamedAfterItsSession) {
  Stage stage;
  EXPECT_TRUE(stage.desktop().id().starts_with("win32:")) << stage.desktop().id();
}

TEST(Win32SessionTest, AnUnlockedSessionIsNotLocked) {
  Stage stage;
  const auto obstacle = stage.desktop().session().obstacle();
  ASSERT_OK(obstacle);
  EXPECT_FALSE(obstacle->has_value()) << (*obstacle)->reason;
}

TEST(Win32SessionTest, NoInputIsSentWhileTheSessionHasAnObstacle) {
  const std::uintptr_t mark = win32::new_input_mark();
  auto held = win32::HeldPage::create();
  ASSERT_OK(held);
  const auto person = win32::Win32PersonWatch::open(mark, system_clock());
  ASSERT_OK(person);
  SessionWithObstacle session;
  win32::Win32Input input(mark, *std::move(held), **person, session, system_clock());
  ASSERT_OK(input.move({100, 100}));
  ASSERT_EQ(cursor(), (Point{100, 100}));
  using Kind = SessionObstacle::Kind;
  for (const Kind kind : {Kind::kLocked, Kind::kSecureDesktop, Kind::kDisconnected}) {
    session.now = SessionObstacle{kind, "the reason"};
    const auto moved = input.move({200, 200});
    ASSERT_FALSE(moved);
    EXPECT_EQ(moved.error().code, Code::kPermissionDenied);
    EXPECT_EQ(moved.error().message, "input is refused: the reason");
    const std::string keys[] = {"a"};
    for (const Progress& progress : {input.click(Point{200, 200}, Button::kLeft, 1, {}, go_on), input.tap(keys, go_on),
                                     input.type(U"a", {}, go_on)}) {
      EXPECT_EQ(progress.done, 0);
      ASSERT_TRUE(progress.stopped);
      EXPECT_EQ(progress.stopped->code, Code::kPermissionDenied);
    }
    EXPECT_EQ(cursor(), (Point{100, 100}));
  }
  session.now = std::nullopt;
  ASSERT_OK(input.move({200, 200}));
  EXPECT_EQ(cursor(), (Point{200, 200}));
}

TEST(Win32SessionTest, ASecondActuatorIsRefused) {
  Stage stage;
  const auto second = win32::claim_session(system_clock().now(), system_clock());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Code::kAlreadyExists);
}

TEST(Win32SessionTest, TheClaimEndsWithTheDesktop) {
  { Stage stage; }
  EXPECT_TRUE(win32::claim_session(system_clock().now(), system_clock()));
}

}  // namespace
}  // namespace da::actuator
