#include "services/actuator/desktop/win32/input/keyboard/keyboard_obstacle.h"

#include <gtest/gtest.h>

namespace da::actuator::win32 {
namespace {

TEST(KeyboardObstacle, StickyKeysKeepAModifierUntilItIsUsedOrFree) {
  EXPECT_EQ(kept_by_sticky_keys(SKF_STICKYKEYSON | SKF_AVAILABLE), "");
  EXPECT_EQ(kept_by_sticky_keys(SKF_STICKYKEYSON | SKF_LSHIFTLATCHED), "Shift");
  EXPECT_EQ(kept_by_sticky_keys(SKF_STICKYKEYSON | SKF_RCTLLOCKED), "Ctrl");
  EXPECT_EQ(kept_by_sticky_keys(SKF_STICKYKEYSON | SKF_RALTLATCHED), "AltGr");
  EXPECT_EQ(kept_by_sticky_keys(SKF_LSHIFTLATCHED), "") << "they are off";
}

}  // namespace
}  // namespace da::actuator::win32
