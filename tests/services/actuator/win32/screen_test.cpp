#include <windows.h>

#include "services/actuator/desktop/win32/screen/cursor_shapes.h"
#include "tests/services/actuator/win32/stage.h"

namespace da::actuator {
namespace {

// The colour of a pixel as 0xRRGGBB.
std::uint32_t colour_at(const FrameView& frame, Point at) {
  const std::uint8_t* pixel = frame.data + static_cast<std::size_t>(at.y - frame.area.y) * frame.stride +
                              static_cast<std::size_t>(at.x - frame.area.x) * 4;
  return (std::uint32_t{pixel[2]} << 16) | (std::uint32_t{pixel[1]} << 8) | pixel[0];
}

class Win32ScreenTest : public ::testing::Test {
 protected:
  Stage stage_;
  Screen& screen_ = stage_.desktop().screen();
};

TEST_F(Win32ScreenTest, TheLayoutContainsEveryMonitor) {
  const auto layout = screen_.layout();
  ASSERT_OK(layout);
  ASSERT_FALSE(layout->monitors.empty());
  for (const MonitorInfo& monitor : layout->monitors) {
    EXPECT_EQ(intersection(monitor.bounds, layout->desktop), monitor.bounds);
    EXPECT_GE(monitor.scale, 1.0);
  }
}

TEST_F(Win32ScreenTest, ACaptureShowsAWindowAtItsPlace) {
  const WindowInfo window = stage_.start_target("input");
  const Rect& bounds = window.bounds;
  const auto frame = screen_.capture();
  ASSERT_OK(frame);
  EXPECT_EQ(frame->area, screen_.layout()->desktop);
  EXPECT_EQ(colour_at(*frame, {bounds.x + 100, bounds.y + 150}), 0xff0000U);
  EXPECT_EQ(colour_at(*frame, {bounds.right() - 100, bounds.y + 150}), 0x00ff00U);
  EXPECT_EQ(colour_at(*frame, {bounds.x + 100, bounds.bottom() - 100}), 0x0000ffU);
  EXPECT_EQ(colour_at(*frame, {bounds.right() - 100, bounds.bottom() - 100}), 0xffff00U);
}

TEST_F(Win32ScreenTest, AnAreaIsClippedAndLeavesTheWholeFrameValid) {
  const WindowInfo window = stage_.start_target("input");
  const auto frame = screen_.capture();
  ASSERT_OK(frame);
  const Point red{window.bounds.x + 100, window.bounds.y + 150};
  const auto part = screen_.capture_area({red.x - 5, red.y - 5, 10, 10});
  ASSERT_OK(part);
  EXPECT_EQ(part->area, Rect(red.x - 5, red.y - 5, 10, 10));
  EXPECT_EQ(colour_at(*part, red), 0xff0000U);
  EXPECT_EQ(colour_at(*frame, red), 0xff0000U);
  const auto corner = screen_.capture_area({frame->area.x - 50, frame->area.y - 50, 60, 60});
  ASSERT_OK(corner);
  EXPECT_EQ(corner->area, Rect(frame->area.x, frame->area.y, 10, 10));
}

TEST_F(Win32ScreenTest, AnAreaOutsideTheDesktopIsOutOfRange) {
  const auto part = screen_.capture_area({100'000, 100'000, 10, 10});
  ASSERT_FALSE(part);
  EXPECT_EQ(part.error().code, Code::kOutOfRange);
}

TEST_F(Win32ScreenTest, TheCursorIsWhereInputHasMovedIt) {
  ASSERT_OK(stage_.desktop().input().move({321, 234}));
  EXPECT_TRUE(stage_.eventually([&] { return *screen_.cursor() == Point(321, 234); }));
}

TEST_F(Win32ScreenTest, AStillScreenSettles) {
  stage_.start_target("input");
  const auto quiet = screen_.wait_quiet(Milliseconds(100), stage_.deadline());
  ASSERT_OK(quiet);
  EXPECT_EQ(*quiet, Quiet::kSettled);
}

TEST_F(Win32ScreenTest, AnAnimationNeverSettles) {
  stage_.start(stage_.target_command("blink"), "blink");
  const auto quiet = screen_.wait_quiet(Milliseconds(1500), system_clock().now() + Milliseconds(2500));
  ASSERT_OK(quiet);
  EXPECT_EQ(*quiet, Quiet::kStillChanging);
}

TEST(CursorShapes, WindowsOwnCursorsAreKnown) {
  for (const auto& [resource, shape] : {std::pair{32512, CursorShape::kArrow}, std::pair{32513, CursorShape::kText},
                                        std::pair{32514, CursorShape::kBusy}, std::pair{32644, CursorShape::kResize},
                                        std::pair{32649, CursorShape::kHand}, std::pair{32650, CursorShape::kBusy}}) {
    const HCURSOR cursor = ::LoadCursorW(nullptr, MAKEINTRESOURCEW(static_cast<WORD>(resource)));
    EXPECT_EQ(win32::shape_of_cursor(cursor), shape) << resource;
  }
}

TEST(CursorShapes, AnApplicationsOwnCursorIsUnknown) {
  const BYTE all[32 * 4] = {};
  const HCURSOR own = ::CreateCursor(::GetModuleHandleW(nullptr), 0, 0, 32, 32, all, all);
  ASSERT_NE(own, nullptr);
  EXPECT_EQ(win32::shape_of_cursor(own), CursorShape::kUnknown);
  ::DestroyCursor(own);
}

}  // namespace
}  // namespace da::actuator
