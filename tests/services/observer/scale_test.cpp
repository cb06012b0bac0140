#include "services/observer/scale.h"

#include <gtest/gtest.h>

namespace da::observer {
namespace {

v1::ImageLimits limits(std::uint32_t long_edge, std::uint32_t short_edge, std::uint32_t area) {
  v1::ImageLimits limits;
  limits.set_long_edge(long_edge);
  limits.set_short_edge(short_edge);
  limits.set_area(area);
  return limits;
}

TEST(Fit, LeavesAloneWhatIsSmallEnough) {
  EXPECT_EQ(fit({1920, 1080}, {}), (Size{1920, 1080}));
  EXPECT_EQ(fit({1280, 800}, limits(1568, 0, 1'150'000)), (Size{1280, 800}));
}

TEST(Fit, KeepsWithinEachLimit) {
  EXPECT_EQ(fit({3136, 1000}, limits(1568, 0, 0)), (Size{1568, 500}));
  EXPECT_EQ(fit({1920, 1080}, limits(2048, 768, 0)), (Size{1365, 768}));
  EXPECT_EQ(fit({1080, 1920}, limits(2048, 768, 0)), (Size{768, 1365}));
  const Size size = fit({1920, 1080}, limits(1568, 0, 1'150'000));
  EXPECT_LE(size.width * size.height, 1'150'000);
  EXPECT_GT(size.width * size.height, 1'140'000);
}

TEST(Fit, IsNeverEmpty) { EXPECT_EQ(fit({10'000, 1}, limits(10, 0, 0)), (Size{10, 1})); }

TEST(ScaleDown, IsTheMeanOfWhatEachPixelStandsFor) {
  // Two by two blocks of black and white pixels.
  std::vector<std::uint8_t> pixels(4 * 4 * 4, 0);
  for (const std::size_t x : {0u, 2u}) {
    for (std::size_t y = 0; y < 4; ++y) {
      for (std::size_t c = 0; c < 4; ++c) pixels[(y * 4 + x) * 4 + c] = 200;
    }
  }
  std::vector<std::uint8_t> buffer;
  const PixelView small = scale_down({pixels.data(), 4, 4, 16}, {2, 2}, buffer);
  ASSERT_EQ(small.width, 2);
  ASSERT_EQ(small.height, 2);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(small.data[i], 100) << i;
}

TEST(Enlarge, TakesWholeTimesWhileThereIsRoom) {
  const std::vector<std::uint8_t> pixels(300 * 100 * 4, 77);
  const PixelView part{pixels.data(), 300, 100, 1200};
  Canvas canvas;
  enlarge(part, {}, canvas);
  EXPECT_EQ(canvas.width(), 900);
  EXPECT_EQ(canvas.height(), 300);
  EXPECT_EQ(*canvas.pixel(450, 150), 77);
  enlarge(part, limits(700, 0, 0), canvas);
  EXPECT_EQ(canvas.width(), 600);
  enlarge(part, limits(150, 0, 0), canvas);
  EXPECT_EQ(canvas.width(), 150);
  EXPECT_EQ(*canvas.pixel(75, 25), 77);
}

}  // namespace
}  // namespace da::observer
