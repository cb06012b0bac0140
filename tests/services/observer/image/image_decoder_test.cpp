#include "services/observer/image/image_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spng.h>

#include "services/observer/image/annotate.h"
#include "services/observer/image/canvas.h"
#include "services/observer/image/image_encoder.h"
#include "tests/services/observer/analyse/pictures.h"

namespace da::observer {
namespace {

constexpr std::int64_t kMaxPixels = 1'000'000;

Canvas gradient() {
  Canvas canvas;
  canvas.resize(120, 80);
  for (int y = 0; y < 80; ++y) {
    for (int x = 0; x < 120; ++x) {
      canvas.pixel(x, y)[0] = static_cast<std::uint8_t>(2 * x);
      canvas.pixel(x, y)[1] = static_cast<std::uint8_t>(3 * y);
      canvas.pixel(x, y)[2] = 77;
    }
  }
  return canvas;
}

std::string png_with_alpha(std::uint32_t width, std::uint32_t height, const std::string& rgba) {
  spng_ctx* context = spng_ctx_new(SPNG_CTX_ENCODER);
  spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1);
  spng_ihdr header{};
  header.width = width;
  header.height = height;
  header.bit_depth = 8;
  header.color_type = SPNG_COLOR_TYPE_TRUECOLOR_ALPHA;
  spng_set_ihdr(context, &header);
  EXPECT_EQ(spng_encode_image(context, rgba.data(), rgba.size(), SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE), 0);
  std::size_t size = 0;
  int error = 0;
  void* bytes = spng_get_png_buffer(context, &size, &error);
  std::string png(static_cast<const char*>(bytes), size);
  std::free(bytes);
  spng_ctx_free(context);
  return png;
}

std::string gradient_png() {
  ImageEncoder encoder;
  return encoder.encode(gradient(), Formats::kPng).data;
}

// Writes a header of this size into a PNG, with its right checksum.
std::string with_size(std::string png, std::uint32_t width, std::uint32_t height) {
  const auto big_endian = [&](std::size_t at, std::uint32_t value) {
    for (std::size_t i = 0; i < 4; ++i) png[at + i] = static_cast<char>(value >> (24 - 8 * i));
  };
  big_endian(16, width);
  big_endian(20, height);
  std::uint32_t crc = 0xffffffff;
  for (std::size_t i = 12; i < 29; ++i) {
    crc ^= static_cast<std::uint8_t>(png[i]);
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
  }
  big_endian(29, ~crc);
  return png;
}

TEST(ImageDecoder, PngIsDecodedToTheSamePixels) {
  const auto image = decode_image(gradient_png(), kMaxPixels);
  ASSERT_TRUE(image) << image.error().message;
  ASSERT_EQ(image->width, 120);
  ASSERT_EQ(image->height, 80);
  EXPECT_TRUE(image->alpha.empty());
  const auto* pixel = &image->bgrx[static_cast<std::size_t>(10 * 120 + 7) * 4];
  EXPECT_EQ(pixel[0], 77);
  EXPECT_EQ(pixel[1], 30);
  EXPECT_EQ(pixel[2], 14);
  EXPECT_EQ(pixel[3], 0);
}

TEST(ImageDecoder, JpegIsDecodedToAlmostTheSamePixels) {
  Random random(1);
  const cv::Mat photo = photo_picture(random, {160, 120}, 10);
  Canvas canvas;
  draw_plain(view_of(photo), canvas);
  ImageEncoder encoder;
  const EncodedImage encoded = encoder.encode(canvas, Formats::kPngOrJpeg);
  ASSERT_EQ(encoded.media_type, "image/jpeg");
  const auto image = decode_image(encoded.data, kMaxPixels);
  ASSERT_TRUE(image) << image.error().message;
  const cv::Mat decoded(120, 160, CV_8UC4, const_cast<std::uint8_t*>(image->bgrx.data()));
  EXPECT_LT(cv::norm(decoded, photo, cv::NORM_L1) / static_cast<double>(photo.total()), 12);
  EXPECT_FALSE(decode_image(encoded.data, 160 * 120 - 1)) << "too many pixels";
  EXPECT_FALSE(decode_image(encoded.data.substr(0, encoded.data.size() / 2), kMaxPixels));
}

TEST(ImageDecoder, AlphaIsKeptApart) {
  const auto image = decode_image(png_with_alpha(2, 1, std::string("\x01\x02\x03\x00\x04\x05\x06\xff", 8)), kMaxPixels);
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_THAT(image->alpha, testing::ElementsAre(0, 255));
  EXPECT_THAT(image->bgrx, testing::ElementsAre(3, 2, 1, 0, 6, 5, 4, 0));
}

TEST(ImageDecoder, HugePngIsRefusedBeforeItIsDecoded) {
  const std::string png = gradient_png();
  for (const auto& [width, height] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
           {100'000, 100'000}, {0x7fffffff, 0x7fffffff}, {0x7fffffff, 1}, {1, 0x7fffffff}, {1001, 1000}}) {
    const auto image = decode_image(with_size(png, width, height), kMaxPixels);
    ASSERT_FALSE(image) << width << "x" << height;
    EXPECT_EQ(image.error().code, Code::kInvalidArgument);
  }
}

TEST(ImageDecoder, PngWithFewerPixelsThanItsHeaderSaysIsRefused) {
  EXPECT_FALSE(decode_image(with_size(gradient_png(), 900, 900), kMaxPixels));
}

TEST(ImageDecoder, CutOrAlteredFilesAreErrorsOrImages) {
  const std::string png = gradient_png();
  for (std::size_t size = 0; size < png.size(); size += 7) EXPECT_FALSE(decode_image(png.substr(0, size), kMaxPixels));
  for (std::size_t at = 8; at < png.size(); at += 3) {
    std::string altered = png;
    altered[at] = static_cast<char>(altered[at] ^ 0x55);
    static_cast<void>(decode_image(altered, kMaxPixels).has_value());  // Must not crash.
  }
}

TEST(ImageDecoder, OtherFilesAreRefused) {
  for (const std::string file : {"", "GIF89a", "BM", "\x89PNG", "\xff\xd8\xff", "text"}) {
    const auto image = decode_image(file, kMaxPixels);
    ASSERT_FALSE(image) << file;
    EXPECT_EQ(image.error().code, Code::kInvalidArgument);
  }
}

}  // namespace
}  // namespace da::observer
