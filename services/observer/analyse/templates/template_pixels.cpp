#include "services/observer/analyse/templates/template_pixels.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <opencv2/imgproc.hpp>

namespace da::observer {
namespace {

constexpr std::uint8_t kOpaque = 128;

cv::Mat view(std::vector<std::uint8_t>& bytes, int width, int height, int type) {
  return cv::Mat(height, width, type, bytes.data());
}

void clear_masked(TemplatePixels& pixels) {
  for (std::size_t i = 0; i < pixels.mask.size(); ++i) {
    if (pixels.mask[i] == 0) std::memset(pixels.bgrx.data() + i * 4, 0, 4);
  }
}

}  // namespace

int scaled_length(int length, double scale) {
  return std::max(1, static_cast<int>(std::lround(static_cast<double>(length) * scale)));
}

TemplatePixels template_pixels(const DecodedImage& image, MaskBy mask_by, double scale) {
  TemplatePixels pixels{image.width, image.height, image.bgrx, {}};
  if (mask_by == MaskBy::kAlpha) {
    for (const std::uint8_t alpha : image.alpha) pixels.mask.push_back(alpha >= kOpaque ? 255 : 0);
  }
  if (std::ranges::all_of(pixels.mask, [](std::uint8_t value) { return value != 0; })) pixels.mask.clear();
  if (scale != 1) {
    const int width = scaled_length(image.width, scale);
    const int height = scaled_length(image.height, scale);
    TemplatePixels scaled{width, height, {}, {}};
    scaled.bgrx.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4);
    cv::Mat to = view(scaled.bgrx, width, height, CV_8UC4);
    cv::resize(view(pixels.bgrx, image.width, image.height, CV_8UC4), to, to.size(), 0, 0,
               scale < 1 ? cv::INTER_AREA : cv::INTER_CUBIC);
    if (!pixels.mask.empty()) {
      scaled.mask.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
      cv::Mat mask = view(scaled.mask, width, height, CV_8UC1);
      cv::resize(view(pixels.mask, image.width, image.height, CV_8UC1), mask, mask.size(), 0, 0, cv::INTER_AREA);
      // A pixel that is partly transparent has a wrong colour.
      for (std::uint8_t& value : scaled.mask) value = value == 255 ? 255 : 0;
    }
    pixels = std::move(scaled);
  }
  clear_masked(pixels);
  return pixels;
}

bool has_pixels(const TemplatePixels& pixels) {
  return pixels.mask.empty() || std::ranges::any_of(pixels.mask, [](std::uint8_t value) { return value != 0; });
}

bool has_one_colour(const TemplatePixels& pixels) {
  const std::uint8_t* first = nullptr;
  for (int y = 0; y < pixels.height; ++y) {
    for (int x = 0; x < pixels.width; ++x) {
      if (!pixels.counts(x, y)) continue;
      if (first == nullptr) first = pixels.pixel(x, y);
      if (std::memcmp(first, pixels.pixel(x, y), 4) != 0) return false;
    }
  }
  return true;
}

}  // namespace da::observer
