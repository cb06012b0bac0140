#include "services/observer/annotate.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <vector>

namespace da::observer {
namespace {

struct Frame {
  Frame(int w, int h, std::uint8_t value) : width(w), height(h), bytes(static_cast<std::size_t>(w * h) * 4, value) {}
  PixelView view() const { return {bytes.data(), width, height, static_cast<std::size_t>(width) * 4}; }
  int width;
  int height;
  std::vector<std::uint8_t> bytes;
};

std::array<int, 3> at(const Canvas& canvas, int x, int y) {
  const auto* pixel = canvas.pixel(x, y);
  return {pixel[0], pixel[1], pixel[2]};
}

TEST(AnnotateTest, PixelsBetweenTheLinesStayAsTheyWere) {
  Frame frame(1000, 800, 0);
  const std::size_t target = static_cast<std::size_t>(333 * 1000 + 421) * 4;
  frame.bytes[target] = 10;      // Blue.
  frame.bytes[target + 1] = 20;  // Green.
  frame.bytes[target + 2] = 30;  // Red.
  Canvas canvas;
  annotate(frame.view(), std::nullopt, canvas);
  EXPECT_EQ(at(canvas, 421, 333), (std::array{30, 20, 10}));
  EXPECT_EQ(at(canvas, 425, 333), (std::array{0, 0, 0}));
}

TEST(AnnotateTest, MajorLinesAreStrongerThanMinorOnesAndBothLetTheScreenThrough) {
  const Frame frame(1000, 800, 255);
  Canvas canvas;
  annotate(frame.view(), std::nullopt, canvas);
  const int minor = at(canvas, 450, 333)[0];
  const int major = at(canvas, 400, 333)[0];
  EXPECT_LT(minor, 255);
  EXPECT_LT(major, minor);
  EXPECT_GT(major, 128);
  EXPECT_EQ(at(canvas, 333, 450)[0], minor);
  EXPECT_EQ(at(canvas, 333, 400)[0], major);
  EXPECT_EQ(at(canvas, 451, 333)[0], 255) << "lines are one pixel wide";
}

TEST(AnnotateTest, LinesAreVisibleOnBlackToo) {
  const Frame frame(1000, 800, 0);
  Canvas canvas;
  annotate(frame.view(), std::nullopt, canvas);
  EXPECT_GT(at(canvas, 450, 333)[2], 15);
  EXPECT_GT(at(canvas, 400, 333)[2], 60);
}

TEST(AnnotateTest, CrosshairLeavesTheCursorsOwnPixelVisible) {
  const Frame frame(1000, 800, 255);
  Canvas canvas;
  annotate(frame.view(), Point{321, 232}, canvas);
  EXPECT_EQ(at(canvas, 321, 232), (std::array{255, 255, 255}));
  EXPECT_EQ(at(canvas, 321 + 10, 232), (std::array{255, 40, 40}));
  EXPECT_EQ(at(canvas, 321, 232 - 10), (std::array{255, 40, 40}));
}

TEST(AnnotateTest, InsetShowsTheCursorsSurroundingsEnlarged) {
  Frame frame(1000, 800, 0);
  const Point cursor{300, 200};
  // A pixel 20 to the left of the cursor, beyond the crosshair, and 10 above.
  frame.bytes[static_cast<std::size_t>(190 * 1000 + 280) * 4 + 1] = 200;
  Canvas canvas;
  annotate(frame.view(), cursor, canvas);
  const Rect inset = inset_area(1000, 800, cursor);
  const Point center{inset.x + 36 * 4, inset.y + 27 * 4};
  EXPECT_EQ(at(canvas, center.x - 20 * 4 + 1, center.y - 10 * 4 + 1), (std::array{0, 200, 0}));
  EXPECT_EQ(at(canvas, center.x - 20 * 4 + 3, center.y - 10 * 4 + 3), (std::array{0, 200, 0}));
  EXPECT_EQ(at(canvas, center.x - 20 * 4 - 1, center.y - 10 * 4), (std::array{0, 0, 0}));
  EXPECT_EQ(at(canvas, inset.x - 1, inset.y + 50), (std::array{255, 255, 255})) << "it has a border";
}

TEST(AnnotateTest, InsetGivesWayToWhatMustStayVisible) {
  const Point cursor{300, 200};
  const Rect farthest = inset_area(1280, 800, cursor);
  const Rect button{farthest.x + 20, farthest.y + 20, 80, 30};
  const Rect other = inset_area(1280, 800, cursor, std::array{button});
  EXPECT_FALSE(other.empty());
  EXPECT_TRUE(intersection(other, button).empty());
  EXPECT_FALSE(other.contains(cursor));
  // A large editor below the inset does not move it: most of it stays visible.
  EXPECT_EQ(inset_area(1280, 800, cursor, std::array{Rect{0, 0, 1280, 800}}), farthest);
  // It would hide little of a toolbar, and another corner nothing.
  const Rect toolbar{0, farthest.y + 100, 1280, 30};
  EXPECT_TRUE(intersection(inset_area(1280, 800, cursor, std::array{toolbar}), toolbar).empty());
  const std::array everywhere{button, other, Rect{20, 550, 300, 250}, Rect{940, 0, 300, 250}};
  EXPECT_TRUE(inset_area(1280, 800, cursor, everywhere).empty());
}

TEST(AnnotateTest, BannerIsDrawnAboveTheLowerLeftCorner) {
  const Frame frame(1000, 800, 0);
  Canvas canvas;
  annotate(frame.view(), std::nullopt, canvas);
  int bright = 0;
  for (int y = 760; y < 790; ++y) {
    for (int x = 34; x < 160; ++x) bright += at(canvas, x, y)[0] > 200 ? 1 : 0;
  }
  EXPECT_GT(bright, 100);
}

RC_GTEST_PROP(AnnotateProperty, InsetIsInsideAndAwayFromTheCursor, ()) {
  const int width = *rc::gen::inRange(1, 4000);
  const int height = *rc::gen::inRange(1, 3000);
  const Point cursor{*rc::gen::inRange(0, width), *rc::gen::inRange(0, height)};
  const Rect inset = inset_area(width, height, cursor);
  if (inset.empty()) return;
  RC_ASSERT(intersection(inset, {2, 2, width - 4, height - 4}) == inset);
  RC_ASSERT(!inset.contains(cursor));
}

RC_GTEST_PROP(AnnotateProperty, AnySizeAndCursorIsDrawnWithoutHarm, ()) {
  const Frame frame(*rc::gen::inRange(1, 900), *rc::gen::inRange(1, 700), 90);
  const Point cursor{*rc::gen::inRange(-50, 1000), *rc::gen::inRange(-50, 800)};
  Canvas canvas;
  annotate(frame.view(), cursor, canvas);
  RC_ASSERT(canvas.width() == frame.width);
  for (int y = 0; y < canvas.height(); ++y) RC_ASSERT(canvas.pixel(0, y)[-1] == 0);  // The filter bytes.
}

}  // namespace
}  // namespace da::observer
