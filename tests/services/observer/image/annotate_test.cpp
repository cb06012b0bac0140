#include "services/observer/image/annotate.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

namespace da::observer {
namespace {

struct Frame {
  Frame(int w, int h, std::uint8_t value) : width(w), height(h), bytes(static_cast<std::size_t>(w * h) * 4, value) {}
  frames::PixelView view() const { return {bytes.data(), width, height, static_cast<std::size_t>(width) * 4}; }
  int width;
  int height;
  std::vector<std::uint8_t> bytes;
};

std::array<int, 3> at(const Canvas& canvas, int x, int y) {
  const auto* pixel = canvas.pixel(x, y);
  return {pixel[0], pixel[1], pixel[2]};
}

TEST(AnnotateTest, PixelsBetweenTheLinesAreUnchanged) {
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

TEST(AnnotateTest, MajorLinesAreStrongerThanMinorOnesAndBothAreTranslucent) {
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
  // A pixel outside of the crosshair, 20 to the left of the cursor and 10 above.
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

TEST(AnnotateTest, InsetGoesToAFreeCornerOrIsLeftOut) {
  const Point cursor{300, 200};
  const Rect farthest = inset_area(1280, 800, cursor);
  const Rect button{farthest.x + 20, farthest.y + 20, 80, 30};
  const Rect other = inset_area(1280, 800, cursor, std::array{button});
  EXPECT_FALSE(other.empty());
  EXPECT_TRUE(intersection(other, button).empty());
  EXPECT_FALSE(other.contains(cursor));
  const std::array everywhere{button, other, Rect{20, 550, 300, 250}, Rect{940, 0, 300, 250}};
  EXPECT_TRUE(inset_area(1280, 800, cursor, everywhere).empty());
}

// Bug: the inset covered the lower corner of an editor, and a part of a tool bar.
TEST(AnnotateTest, InsetCoversNoPartOfAUsableElement) {
  const Point cursor{300, 200};
  const Rect farthest = inset_area(1280, 800, cursor);
  EXPECT_TRUE(inset_area(1280, 800, cursor, std::array{Rect{0, 0, 1280, 800}}).empty());
  const Rect toolbar{0, farthest.y + 100, 1280, 30};
  EXPECT_TRUE(intersection(inset_area(1280, 800, cursor, std::array{toolbar}), toolbar).empty());
}

// Bug: the grid's numbers covered menu bars.
TEST(AnnotateTest, NumbersThatWouldCoverAnElementAreLeftOut) {
  const Frame frame(1000, 800, 0);
  const auto shines = [&](const Canvas& canvas, const Rect& area) {
    for (int y = area.y; y < area.bottom(); ++y) {
      for (int x = area.x; x < area.right(); ++x) {
        if (at(canvas, x, y)[0] > 150) return true;
      }
    }
    return false;
  };
  Canvas canvas;
  annotate(frame.view(), std::nullopt, canvas, {{{190, 0, 60, 20}}, {}});
  EXPECT_FALSE(shines(canvas, {190, 0, 60, 20}));
  EXPECT_TRUE(shines(canvas, {402, 0, 25, 13})) << "the number beside it is there";
  EXPECT_TRUE(shines(canvas, {202, 787, 25, 13})) << "the same number at the other end of its line is there";
}

TEST(AnnotateTest, NumbersMayCoverWindowsWithoutKnownElements) {
  const Frame frame(1000, 800, 0);
  Canvas without;
  annotate(frame.view(), std::nullopt, without);
  Canvas with;
  annotate(frame.view(), std::nullopt, with, {{}, {{0, 0, 1000, 300}}});
  EXPECT_TRUE(std::ranges::equal(with.bytes(), without.bytes()));
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

TEST(AnnotateTest, BannerGoesToAFreeCornerOrIsLeftOut) {
  const Frame frame(1000, 800, 0);
  const auto bright = [&](const std::vector<Rect>& kept, const Rect& area) {
    Canvas canvas;
    annotate(frame.view(), std::nullopt, canvas, {kept, {}});
    int count = 0;
    for (int y = area.y; y < area.bottom(); ++y) {
      for (int x = area.x; x < area.right(); ++x) count += at(canvas, x, y)[0] > 200 && at(canvas, x, y)[2] < 200;
    }
    return count;
  };
  const Rect left{34, 750, 200, 50};
  const Rect right{760, 750, 200, 50};
  EXPECT_EQ(bright({left}, left), 0);
  EXPECT_GT(bright({left}, right), 100);
  EXPECT_EQ(bright({{0, 740, 1000, 60}, {0, 0, 1000, 60}}, {0, 0, 1000, 800}), 0);
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

// Lines and the crosshair are translucent.
RC_GTEST_PROP(AnnotateProperty, OnlyLinesAreDrawnOverUsableElements, ()) {
  const Frame frame(1000, 700, 90);
  const Point cursor{*rc::gen::inRange(0, 1000), *rc::gen::inRange(0, 700)};
  KeepClear clear;
  for (int i = *rc::gen::inRange(1, 8); i > 0; --i) {
    clear.elements.push_back(
        {*rc::gen::inRange(0, 990), *rc::gen::inRange(0, 690), *rc::gen::inRange(1, 300), *rc::gen::inRange(1, 200)});
  }
  Canvas canvas;
  annotate(frame.view(), cursor, canvas, clear);
  int covered = 0;  // One assertion for all pixels: each of rapidcheck's takes microseconds.
  for (const Rect& element : clear.elements) {
    const Rect area = intersection(element, {0, 0, 1000, 700});
    for (int y = area.y; y < area.bottom(); ++y) {
      for (int x = area.x; x < area.right(); ++x) {
        const bool line = x % kMinorGrid == 0 || y % kMinorGrid == 0;
        const bool crosshair = std::abs(x - cursor.x) <= 18 && std::abs(y - cursor.y) <= 18;
        if (!line && !crosshair && at(canvas, x, y)[0] != 90) ++covered;
      }
    }
  }
  RC_ASSERT(covered == 0);
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
