// Regression: two steps that clicked the same row within 0.4 s opened its file.
#include "services/actuator/desktop/press_spacing.h"

#include <gtest/gtest.h>

namespace da::actuator {
namespace {

constexpr MonoTime kPressed{std::chrono::seconds(100)};

TEST(PressSpacing, APressNearTheLastOneWithTheSameButtonMayMakeADoubleClick) {
  PressSpacing spacing;
  EXPECT_FALSE(spacing.is_near_last(Button::kLeft, {10, 10}));
  spacing.pressed(Button::kLeft, {10, 10}, kPressed);
  EXPECT_TRUE(spacing.is_near_last(Button::kLeft, {10, 10}));
  EXPECT_TRUE(spacing.is_near_last(Button::kLeft, {15, 5}));
  EXPECT_FALSE(spacing.is_near_last(Button::kLeft, {10, 40}));
  EXPECT_FALSE(spacing.is_near_last(Button::kLeft, {40, 10}));
  EXPECT_FALSE(spacing.is_near_last(Button::kRight, {10, 10}));
}

TEST(PressSpacing, AClickOfItsOwnBeginsAfterThePersonsDoubleClickTime) {
  PressSpacing spacing;
  spacing.pressed(Button::kLeft, {10, 10}, kPressed);
  EXPECT_EQ(spacing.own_click_from(Milliseconds(900)), kPressed + Milliseconds(900));
}

TEST(PressSpacing, AShortSettingDoesNotCountBecauseSomeToolkitsIgnoreIt) {
  PressSpacing spacing;
  spacing.pressed(Button::kLeft, {10, 10}, kPressed);
  EXPECT_EQ(spacing.own_click_from(Milliseconds(200)), kPressed + Milliseconds(500));
}

}  // namespace
}  // namespace da::actuator
