#include "services/observer/image/scale.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

namespace da::observer {
namespace {

v1::ImageLimits limits(std::uint32_t long_edge, std::uint32_t short_edge, std::uint32_t area) {
  v1::ImageLimits limits;
  limits.set_long_edge(long_edge);
  limits.set_short_edge(short_edge);
  limits.set_area(area);
  return limits;
}

TEST(Fit, KeepsSizesWithinTheLimits) {
  EXPECT_EQ(fit({1920, 1080}, {}), (Size{1920, 1080}));
  EXPECT_EQ(fit({1280, 800}, limits(1568, 0, 1'150'000)), (Size{1280, 800}));
}

TEST(Fit, StaysWithinEachLimit) {
  EXPECT_EQ(fit({3136, 1000}, limits(1568, 0, 0)), (Size{1568, 500}));
  EXPECT_EQ(fit({1920, 1080}, limits(2048, 768, 0)), (Size{1365, 768}));
  EXPECT_EQ(fit({1080, 1920}, limits(2048, 768, 0)), (Size{768, 1365}));
  const Size size = fit({1920, 1080}, limits(1568, 0, 1'150'000));
  EXPECT_LE(size.width * size.height, 1'150'000);
  EXPECT_GT(size.width * size.height, 1'140'000);
}

TEST(Fit, IsNeverEmpty) { EXPECT_EQ(fit({10'000, 1}, limits(10, 0, 0)), (Size{10, 1})); }

TEST(ScaleDown, PixelIsTheMeanOfTheCoveredPixels) {
  // Blocks of 2x2 black and white pixels.
  std::vector<std::uint8_t> pixels(4 * 4 * 4, 0);
  for (const std::size_t x : {0u, 2u}) {
    for (std::size_t y = 0; y < 4; ++y) {
      for (std::size_t c = 0; c < 4; ++c) pixels[(y * 4 + x) * 4 + c] = 200;
    }
  }
  std::vector<std::uint8_t> buffer;
  const frames::PixelView small = scale_down({pixels.data(), 4, 4, 16}, {2, 2}, buffer);
  ASSERT_EQ(small.width, 2);
  ASSERT_EQ(small.height, 2);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(small.data[i], 100) << i;
}

// An independent algorithm: distributes each pixel of the frame to the pixels of the result that it touches.
std::vector<double> exact_means(const std::vector<std::uint8_t>& pixels, Size from, Size to) {
  std::vector<double> means(static_cast<std::size_t>(to.width * to.height * 4), 0.0);
  const double wide = double(from.width) / to.width;
  const double high = double(from.height) / to.height;
  const auto overlap = [](int pixel, int result, double size) {
    return std::max(0.0, std::min(pixel + 1.0, (result + 1) * size) - std::max(double(pixel), result * size));
  };
  for (int y = 0; y < from.height; ++y) {
    for (int x = 0; x < from.width; ++x) {
      for (int v = int(y / high); v < std::min(to.height, int((y + 1) / high) + 1); ++v) {
        for (int u = int(x / wide); u < std::min(to.width, int((x + 1) / wide) + 1); ++u) {
          const double share = overlap(y, v, high) * overlap(x, u, wide) / (wide * high);
          for (int c = 0; c < 4; ++c) {
            means[static_cast<std::size_t>((v * to.width + u) * 4 + c)] +=
                share * pixels[static_cast<std::size_t>((y * from.width + x) * 4 + c)];
          }
        }
      }
    }
  }
  return means;
}

TEST(ScaleDown, PixelIsTheMeanAlsoForFractionalFactors) {
  const std::pair<Size, Size> cases[] = {{{192, 108}, {136, 76}}, {{300, 7}, {299, 6}}, {{32, 48}, {2, 3}},
                                         {{64, 64}, {33, 64}},    {{1000, 3}, {63, 3}}, {{17, 19}, {17, 19}}};
  std::minstd_rand random(1);
  for (const auto& [from, to] : cases) {
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(from.width * from.height * 4));
    // Includes many white pixels, for the largest sums.
    for (auto& byte : pixels) byte = random() % 3 == 0 ? 255 : static_cast<std::uint8_t>(random() % 256);
    std::vector<std::uint8_t> buffer;
    const auto stride = static_cast<std::size_t>(from.width) * 4;
    const frames::PixelView small = scale_down({pixels.data(), from.width, from.height, stride}, to, buffer);
    const auto exact = exact_means(pixels, from, to);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      ASSERT_NEAR(small.data[i], exact[i], 2) << i << " of " << from.width << "x" << from.height;
    }
  }
}

TEST(ScaleDown, WhiteStaysWhite) {
  const std::vector<std::uint8_t> pixels(1920 * 40 * 4, 255);
  std::vector<std::uint8_t> buffer;
  for (const Size size : {Size{1365, 28}, Size{1919, 39}, Size{3, 1}, Size{1, 1}}) {
    const frames::PixelView small = scale_down({pixels.data(), 1920, 40, 1920 * 4}, size, buffer);
    const auto bytes = static_cast<std::ptrdiff_t>(size.width * size.height * 4);
    EXPECT_TRUE(std::all_of(small.data, small.data + bytes, [](std::uint8_t byte) { return byte == 255; }));
  }
}

TEST(Enlarge, UsesWholeFactorsWithinTheLimits) {
  const std::vector<std::uint8_t> pixels(300 * 100 * 4, 77);
  const frames::PixelView part{pixels.data(), 300, 100, 1200};
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
