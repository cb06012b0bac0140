#include "services/actuator/desktop/win32/session/session_claim.h"
#include "tests/services/actuator/win32/stage.h"

namespace da::actuator {
namespace {

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
