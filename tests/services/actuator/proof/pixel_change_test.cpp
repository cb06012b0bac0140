// What counts as a change of the screen: all but a caret, and the control itself.
#include "services/actuator/proof/pixel_change.h"

#include <gtest/gtest.h>

#include <array>

namespace da::actuator {
namespace {

class PixelChangeTest : public testing::Test {
 protected:
  PixelChangeTest() { memory_.keep(view()); }

  FrameView view() const {
    return {.data = pixels_.data(), .area = kArea, .stride = static_cast<std::size_t>(kArea.width) * 4};
  }
  void fill(const Rect& desktop) {
    for (int y = desktop.y; y < desktop.bottom(); ++y)
      for (int x = desktop.x; x < desktop.right(); ++x)
        pixels_[static_cast<std::size_t>((y - kArea.y) * kArea.width + x - kArea.x) * 4] = 200;
  }

  static constexpr Rect kArea{-100, 50, 200, 100};
  std::vector<std::uint8_t> pixels_ = std::vector<std::uint8_t>(static_cast<std::size_t>(kArea.area()) * 4, 30);
  PixelMemory memory_;
};

TEST_F(PixelChangeTest, EqualPixelsAreNoChange) { EXPECT_FALSE(memory_.change(view())); }

TEST_F(PixelChangeTest, RectangleAroundAllChangedPixelsIsReturned) {
  fill({-90, 60, 10, 5});
  fill({0, 100, 20, 20});
  EXPECT_EQ(memory_.change(view()), (Rect{-90, 60, 110, 60}));
}

TEST_F(PixelChangeTest, BlinkingCaretIsNoChange) {
  fill({10, 60, 2, 18});
  EXPECT_FALSE(memory_.change(view()));
}

TEST_F(PixelChangeTest, ChangeInsideTheIgnoredAreaIsNone) {
  fill({0, 80, 40, 20});
  memory_.ignore(std::array{Rect{-5, 75, 20, 30}});
  EXPECT_EQ(memory_.change(view()), (Rect{15, 80, 25, 20})) << "a part lies outside";
  const std::array others{Rect{10, 75, 40, 30}};
  EXPECT_FALSE(memory_.change(view(), others));
}

TEST_F(PixelChangeTest, ChangeBetweenIgnoredAreasCounts) {
  fill({-100, 80, 200, 5});
  memory_.ignore(std::array{Rect{30, 70, 100, 40}, Rect{-100, 70, 50, 40}, Rect{-60, 70, 70, 40}});
  EXPECT_EQ(memory_.change(view()), (Rect{10, 80, 20, 5}));
}

TEST_F(PixelChangeTest, IgnoredAreaMayReachBeyondThePicture) {
  fill({-100, 50, 40, 20});
  memory_.ignore(std::array{Rect{-500, -500, 500, 600}});
  EXPECT_FALSE(memory_.change(view()));
}

TEST_F(PixelChangeTest, UnusedFourthByteIsNoChange) {
  for (std::size_t at = 3; at < pixels_.size(); at += 4) pixels_[at] = 255;
  EXPECT_FALSE(memory_.change(view()));
}

TEST_F(PixelChangeTest, OnlyWhatBothPicturesShowIsCompared) {
  fill({-100, 50, 200, 100});
  const FrameView part{.data = pixels_.data(), .area = {500, 500, 10, 10}, .stride = 800};
  EXPECT_FALSE(memory_.change(part));
}

}  // namespace
}  // namespace da::actuator
