#include "services/observer/image/image_encoder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <random>
#include <set>

#include "services/observer/image/annotate.h"
#include "services/observer/text/ocr.h"
#include "tests/services/observer/decode.h"

namespace da::observer {
namespace {

constexpr int kWidth = 900;
constexpr int kHeight = 600;

Canvas canvas_of(const cv::Mat& bgrx) {
  Canvas canvas;
  draw_plain({bgrx.data, bgrx.cols, bgrx.rows, bgrx.step}, canvas);
  return canvas;
}

void write_text(cv::Mat& screen, const cv::Rect& area) {
  cv::rectangle(screen, area, cv::Scalar(255, 255, 255, 0), cv::FILLED);
  const std::array<const char*, 4> lines{"The window shows what the program has read",
                                         "before the second page was opened again", "Numbers follow every other line",
                                         "Settings stay where the person left them"};
  std::size_t line = 0;
  for (int y = area.y + 30; y < area.br().y - 8; y += 26) {
    cv::putText(screen, lines[line++ % lines.size()], {area.x + 12, y}, cv::FONT_HERSHEY_SIMPLEX, 0.5,
                cv::Scalar(20, 20, 20, 0), 1, cv::LINE_AA);
  }
}

// Smooth shapes with camera noise.
cv::Mat photograph() {
  std::mt19937 random(7);
  cv::Mat coarse(kHeight / 60, kWidth / 60, CV_8UC4);
  for (auto& pixel : cv::Mat_<cv::Vec4b>(coarse)) {
    for (int c = 0; c < 3; ++c) pixel[c] = static_cast<std::uint8_t>(random() % 256);
  }
  cv::Mat screen;
  cv::resize(coarse, screen, {kWidth, kHeight}, 0, 0, cv::INTER_CUBIC);
  for (auto& pixel : cv::Mat_<cv::Vec4b>(screen)) {
    for (int c = 0; c < 3; ++c)
      pixel[c] = cv::saturate_cast<std::uint8_t>(pixel[c] + static_cast<int>(random() % 9) - 4);
  }
  return screen;
}

double psnr(const Canvas& canvas, const Decoded& decoded) {
  double squares = 0;
  std::size_t i = 0;
  for (int y = 0; y < canvas.height(); ++y) {
    for (int x = 0; x < 3 * canvas.width(); ++x) {
      squares += std::pow(canvas.pixel(0, y)[x] - decoded.rgb[i++], 2);
    }
  }
  return 10 * std::log10(255.0 * 255.0 * static_cast<double>(i) / squares);
}

std::multiset<std::string> words_in(const Decoded& decoded, const Rect& area) {
  cv::Mat bgrx;
  cv::cvtColor(cv::Mat(decoded.height, decoded.width, CV_8UC3, const_cast<std::uint8_t*>(decoded.rgb.data())), bgrx,
               cv::COLOR_RGB2BGRA);
  Ocr ocr;
  std::multiset<std::string> words;
  const auto lines = ocr.read({bgrx.data, bgrx.cols, bgrx.rows, bgrx.step}, area);
  if (!lines) return {};
  for (const auto& line : *lines) {
    for (const auto& word : line.words) words.insert(word.text);
  }
  return words;
}

TEST(ImageEncoderTest, ScreenOfTextStaysPngAndExact) {
  cv::Mat screen(kHeight, kWidth, CV_8UC4);
  write_text(screen, {0, 0, kWidth, kHeight});
  const Canvas canvas = canvas_of(screen);
  ImageEncoder encoder;
  const auto image = encoder.encode(canvas, Formats::kPngOrJpeg);
  EXPECT_EQ(image.media_type, "image/png");
  EXPECT_EQ(image.data, PngEncoder().encode(canvas));
}

TEST(ImageEncoderTest, PhotographBecomesASmallerSimilarJpeg) {
  const Canvas canvas = canvas_of(photograph());
  ImageEncoder encoder;
  const auto png = encoder.encode(canvas, Formats::kPng);
  EXPECT_EQ(png.media_type, "image/png");
  const auto jpeg = encoder.encode(canvas, Formats::kPngOrJpeg);
  ASSERT_EQ(jpeg.media_type, "image/jpeg");
  EXPECT_LT(jpeg.data.size() * 2, png.data.size());
  const Decoded decoded = decode_by_pil(jpeg.data, "JPEG");
  ASSERT_EQ(decoded.width, kWidth);
  ASSERT_EQ(decoded.height, kHeight);
  EXPECT_GT(psnr(canvas, decoded), 40);
}

// Neighbouring pixels have different colours of the same brightness: subsampled, they would all be the same grey.
TEST(ImageEncoderTest, JpegKeepsFineColours) {
  cv::Mat screen = photograph();
  for (int x = 100; x < 200; ++x) {
    cv::line(screen, {x, 100}, {x, 200}, x % 2 == 0 ? cv::Scalar(0, 0, 255, 0) : cv::Scalar(0, 130, 0, 0));
  }
  ImageEncoder encoder;
  const auto jpeg = encoder.encode(canvas_of(screen), Formats::kPngOrJpeg);
  ASSERT_EQ(jpeg.media_type, "image/jpeg");
  const Decoded decoded = decode_by_pil(jpeg.data, "JPEG");
  ASSERT_EQ(decoded.width, kWidth);
  const auto red = [&](int x) { return decoded.rgb[static_cast<std::size_t>(150 * kWidth + x) * 3]; };
  EXPECT_GT(red(150), 220);
  EXPECT_LT(red(151), 35);
}

TEST(ImageEncoderTest, TextBesideAPhotographReadsTheSameInJpegAndPng) {
  cv::Mat screen = photograph();
  const Rect area{40, 40, 440, 300};
  write_text(screen, {area.x, area.y, area.width, area.height});
  const Canvas canvas = canvas_of(screen);
  ImageEncoder encoder;
  const auto png = encoder.encode(canvas, Formats::kPng);
  const auto jpeg = encoder.encode(canvas, Formats::kPngOrJpeg);
  ASSERT_EQ(jpeg.media_type, "image/jpeg");
  const auto words = words_in(decode_png(png.data), area);
  EXPECT_GT(words.size(), 50u);
  EXPECT_EQ(words_in(decode_by_pil(jpeg.data, "JPEG"), area), words);
}

TEST(ImageEncoderTest, JpegIsNeverLarger) {
  // Noise of 16 colours takes PNG more than half a byte a pixel, and JPEG several.
  std::mt19937 random(3);
  std::array<cv::Vec4b, 16> colours;
  for (auto& colour : colours) {
    for (int c = 0; c < 3; ++c) colour[c] = static_cast<std::uint8_t>(random() % 256);
  }
  cv::Mat screen(kHeight, kWidth, CV_8UC4);
  for (auto& pixel : cv::Mat_<cv::Vec4b>(screen)) pixel = colours[random() % colours.size()];
  const Canvas canvas = canvas_of(screen);
  ImageEncoder encoder;
  const auto png = encoder.encode(canvas, Formats::kPng);
  ASSERT_GT(png.data.size(), std::size_t{kWidth} * kHeight / 2);
  const auto either = encoder.encode(canvas, Formats::kPngOrJpeg);
  EXPECT_EQ(either.data.size(), png.data.size());
  EXPECT_EQ(either.media_type, "image/png");
}

TEST(ImageEncoderTest, OnePixelImageIsEncoded) {
  Canvas canvas;
  canvas.resize(1, 1);
  ImageEncoder encoder;
  const auto image = encoder.encode(canvas, Formats::kPngOrJpeg);
  const Decoded decoded = image.media_type == "image/png" ? decode_png(image.data) : decode_by_pil(image.data, "JPEG");
  EXPECT_EQ(decoded.width, 1);
  EXPECT_EQ(decoded.height, 1);
}

}  // namespace
}  // namespace da::observer
