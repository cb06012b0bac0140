#include <gmock/gmock.h>

#include <cstring>

#include "tests/services/actuator/contract/stage.h"

namespace da::actuator::contract {
namespace {

// Rows of the frame's pixels without the unused byte of each, so that equal looks are equal texts.
std::string pixels_of(const FrameView& view, const Rect& part) {
  std::string pixels;
  for (int y = part.y; y < part.y + part.height; ++y) {
    for (int x = part.x; x < part.x + part.width; ++x) {
      const std::uint8_t* pixel = view.data + static_cast<std::size_t>(y - view.area.y) * view.stride +
                                  static_cast<std::size_t>(x - view.area.x) * 4;
      pixels.append(reinterpret_cast<const char*>(pixel), 3);
    }
  }
  return pixels;
}

class ScreenContract : public ContractTest {
 protected:
  void settle() { ASSERT_DONE(screen_.wait_quiet(Milliseconds(300), stage_->deadline())); }

  Screen& screen_ = desktop_.screen();
};

TEST_F(ScreenContract, DesktopIsTheRectangleAroundAllMonitors) {
  const auto layout = screen_.layout();
  ASSERT_DONE(layout);
  ASSERT_FALSE(layout->monitors.empty());
  for (const MonitorInfo& monitor : layout->monitors) {
    EXPECT_EQ(intersection(monitor.bounds, layout->desktop), monitor.bounds);
    EXPECT_GT(monitor.scale, 0.0);
  }
  EXPECT_FALSE(intersection(target_.window.bounds, layout->desktop).empty());
}

TEST_F(ScreenContract, FrameShowsWhatIsOnTheDesktop) {
  settle();
  const auto before = screen_.capture();
  ASSERT_DONE(before);
  EXPECT_EQ(before->area, screen_.layout()->desktop);
  const std::string window = pixels_of(*before, target_.window.bounds);
  const Rect corner{before->area.x + before->area.width - 20, before->area.y + before->area.height - 20, 20, 20};
  const std::string outside = pixels_of(*before, corner);
  ASSERT_FALSE(desktop_.input().type(U"black on white", Milliseconds(0), go_on).stopped);
  ASSERT_TRUE(stage_->eventually([&] {
    const auto now = screen_.capture();
    return now && pixels_of(*now, target_.window.bounds) != window;
  }));
  EXPECT_EQ(pixels_of(*screen_.capture(), corner), outside);
}

TEST_F(ScreenContract, AreaIsClippedAndEqualsThatPartOfTheFrame) {
  settle();
  const Rect desktop = screen_.layout()->desktop;
  const auto whole = screen_.capture();
  ASSERT_DONE(whole);
  const Rect corner{desktop.x - 10, desktop.y - 10, 60, 50};
  const Rect clipped{desktop.x, desktop.y, 50, 40};
  const std::string expected = pixels_of(*whole, clipped);
  const auto part = screen_.capture_area(corner);
  ASSERT_DONE(part);
  EXPECT_EQ(part->area, clipped);
  EXPECT_EQ(pixels_of(*part, clipped), expected);
  EXPECT_EQ(pixels_of(*whole, clipped), expected) << "the frame of capture() stays valid";
}

TEST_F(ScreenContract, AreaOutsideTheDesktopIsAnError) {
  const Rect desktop = screen_.layout()->desktop;
  const auto captured = screen_.capture_area({desktop.x + desktop.width + 5, desktop.y, 10, 10});
  ASSERT_FALSE(captured);
  EXPECT_EQ(captured.error().code, Code::kOutOfRange);
}

TEST_F(ScreenContract, CursorIsWhereItWasMoved) {
  const Point point = target_.pad.center();
  ASSERT_DONE(desktop_.input().move(point));
  EXPECT_TRUE(stage_->eventually([&] {
    const auto cursor = screen_.cursor();
    return cursor && *cursor == point;
  }));
}

TEST_F(ScreenContract, QuietScreenSettlesAndAPastDeadlineIsNoWait) {
  settle();
  const auto settled = screen_.wait_quiet(Milliseconds(50), stage_->deadline());
  ASSERT_DONE(settled);
  EXPECT_EQ(*settled, Quiet::kSettled);
  ASSERT_FALSE(desktop_.input().type(U"x", Milliseconds(0), go_on).stopped);
  const auto at_once = screen_.wait_quiet(Milliseconds(10'000), system_clock().now());
  ASSERT_DONE(at_once);
  EXPECT_EQ(*at_once, Quiet::kStillChanging);
}

}  // namespace
}  // namespace da::actuator::contract
