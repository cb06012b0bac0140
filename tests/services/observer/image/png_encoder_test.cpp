#include "services/observer/image/png_encoder.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "services/observer/image/huffman.h"
#include "tests/services/observer/decode.h"

namespace da::observer {
namespace {

std::vector<std::uint8_t> pixels_of(const Canvas& canvas) {
  std::vector<std::uint8_t> out;
  for (int y = 0; y < canvas.height(); ++y) {
    out.insert(out.end(), canvas.pixel(0, y), canvas.pixel(0, y) + 3 * canvas.width());
  }
  return out;
}

void expect_round_trip(const Canvas& canvas, const std::string& png) {
  const Decoded decoded = decode_png(png);
  EXPECT_EQ(decoded.width, canvas.width());
  EXPECT_EQ(decoded.height, canvas.height());
  EXPECT_TRUE(decoded.rgb == pixels_of(canvas));
}

void fill_noise(Canvas& canvas, std::uint32_t seed) {
  for (int y = 0; y < canvas.height(); ++y) {
    for (int i = 0; i < 3 * canvas.width(); ++i) {
      seed = seed * 1664525u + 1013904223u;
      canvas.pixel(0, y)[i] = static_cast<std::uint8_t>(seed >> 24);
    }
  }
}

TEST(PngEncoderTest, OnePixelIsReadBack) {
  Canvas canvas;
  canvas.resize(1, 1);
  canvas.pixel(0, 0)[1] = 200;
  PngEncoder encoder;
  expect_round_trip(canvas, encoder.encode(canvas));
}

TEST(PngEncoderTest, NoiseIsReadBackAndHardlyGrows) {
  Canvas canvas;
  canvas.resize(333, 217);
  fill_noise(canvas, 1);
  PngEncoder encoder;
  const auto png = encoder.encode(canvas);
  expect_round_trip(canvas, png);
  EXPECT_LT(png.size(), canvas.bytes().size() * 102 / 100 + 2000);
}

TEST(PngEncoderTest, Empty4KScreenIsReadBackAndSmall) {
  Canvas canvas;
  canvas.resize(3840, 2160);
  PngEncoder encoder;
  const auto png = encoder.encode(canvas);
  expect_round_trip(canvas, png);
  EXPECT_LT(png.size(), 100'000u);
}

TEST(PngEncoderTest, OnlyTheChangedBandIsPackedAgain) {
  Canvas canvas;
  canvas.resize(200, 300);
  fill_noise(canvas, 7);
  PngEncoder encoder;
  encoder.encode(canvas);
  EXPECT_EQ(encoder.packed_bands(), encoder.band_count());
  canvas.pixel(150, 130)[0] ^= 1;
  const auto png = encoder.encode(canvas);
  EXPECT_EQ(encoder.packed_bands(), 1u);
  expect_round_trip(canvas, png);
  PngEncoder fresh;
  EXPECT_EQ(fresh.encode(canvas), png);
  encoder.encode(canvas);
  EXPECT_EQ(encoder.packed_bands(), 0u);
}

TEST(PngEncoderTest, NewSizeDiscardsTheLastImage) {
  Canvas canvas;
  canvas.resize(100, 100);
  PngEncoder encoder;
  encoder.encode(canvas);
  canvas.resize(100, 90);
  expect_round_trip(canvas, encoder.encode(canvas));
}

RC_GTEST_PROP(PngEncoderProperty, ScreenLikeImagesAreReadBack, ()) {
  Canvas canvas;
  canvas.resize(*rc::gen::inRange(1, 400), *rc::gen::inRange(1, 200));
  PngEncoder encoder;
  for (int round = 0; round < 2; ++round) {
    const int boxes = *rc::gen::inRange(0, 12);
    for (int i = 0; i < boxes; ++i) {
      const int x = *rc::gen::inRange(0, canvas.width());
      const int y = *rc::gen::inRange(0, canvas.height());
      const int right = *rc::gen::inRange(x, canvas.width());
      const int bottom = *rc::gen::inRange(y, canvas.height());
      const auto colour = *rc::gen::inRange(0, 256);
      const auto texture = *rc::gen::inRange(1, 40);
      for (int v = y; v <= bottom; ++v) {
        for (int u = x; u <= right; ++u) canvas.pixel(u, v)[u % 3] = static_cast<std::uint8_t>(colour + u % texture);
      }
    }
    const Decoded decoded = decode_png(encoder.encode(canvas));
    RC_ASSERT(decoded.rgb == pixels_of(canvas));
  }
}

RC_GTEST_PROP(HuffmanProperty, CodesAreCompleteAndShortEnough, ()) {
  const auto weights = *rc::gen::container<std::vector<std::uint32_t>>(286, rc::gen::inRange<std::uint32_t>(0, 1000));
  const HuffmanCode code = make_huffman_code(weights, 15);
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    RC_ASSERT(weights[i] == 0 || code.lengths[i] > 0);
    RC_ASSERT(code.lengths[i] <= 15);
    if (code.lengths[i] > 0) sum += 1u << (15 - code.lengths[i]);
  }
  RC_ASSERT(sum == 1u << 15);
}

TEST(HuffmanTest, FibonacciWeightsAreFlattenedToTheLimit) {
  std::vector<std::uint32_t> weights{1, 1};
  while (weights.size() < 40) weights.push_back(weights[weights.size() - 1] + weights[weights.size() - 2]);
  for (const int limit : {7, 15}) {
    const HuffmanCode code = make_huffman_code(weights, limit);
    std::uint32_t sum = 0;
    for (const auto length : code.lengths) {
      ASSERT_GT(length, 0);
      ASSERT_LE(length, limit);
      sum += 1u << (limit - length);
    }
    EXPECT_EQ(sum, 1u << limit);
  }
}

TEST(HuffmanTest, OneOrNoSymbolStillGivesACompleteCode) {
  for (const std::uint32_t weight : {0u, 5u}) {
    const std::vector<std::uint32_t> weights{0, 0, weight, 0};
    const HuffmanCode code = make_huffman_code(weights, 15);
    EXPECT_EQ(std::count(code.lengths.begin(), code.lengths.end(), 1), 2);
  }
}

}  // namespace
}  // namespace da::observer
