#include "services/observer/analyse/templates/correlation.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <opencv2/core/hal/intrin.hpp>

namespace da::observer {
namespace {

constexpr std::size_t kBlockBytes = 16;  // Four pixels.

}  // namespace

Correlation::Correlation(const TemplatePixels& wanted)
    : width_(wanted.width),
      height_(wanted.height),
      row_bytes_((static_cast<std::size_t>(wanted.width) * 4 + kBlockBytes - 1) / kBlockBytes * kBlockBytes),
      pixels_(row_bytes_ * static_cast<std::size_t>(wanted.height)),
      mask_(pixels_.size()) {
  double squares = 0;
  for (int y = 0; y < height_; ++y) {
    for (int x = 0; x < width_; ++x) {
      if (!wanted.counts(x, y)) continue;
      const std::size_t to = static_cast<std::size_t>(y) * row_bytes_ + static_cast<std::size_t>(x) * 4;
      std::memcpy(pixels_.data() + to, wanted.pixel(x, y), 4);
      std::memset(mask_.data() + to, 255, 4);
      ++count_;
      for (std::size_t c = 0; c < 3; ++c) {
        const double value = wanted.pixel(x, y)[c];
        sums_[c] += value;
        squares += value * value;
      }
    }
  }
  for (const double sum : sums_) squares -= sum * sum / count_;
  norm_ = std::sqrt(std::max(0.0, squares));
}

double Correlation::at(const frames::PixelView& region, Point at) const {
  const std::size_t region_bytes = static_cast<std::size_t>(width_) * 4;
  const cv::v_uint32x4 low_byte = cv::v_setall_u32(255);
  std::uint64_t product = 0;
  std::uint64_t squares = 0;
  std::array<std::uint64_t, 3> sums{};
  for (int y = 0; y < height_; ++y) {
    const std::uint8_t* row =
        region.data + static_cast<std::size_t>(at.y + y) * region.stride + static_cast<std::size_t>(at.x) * 4;
    const std::uint8_t* wanted = pixels_.data() + static_cast<std::size_t>(y) * row_bytes_;
    const std::uint8_t* mask = mask_.data() + static_cast<std::size_t>(y) * row_bytes_;
    // 32 bits suffice for a row: a lane adds at most 3 * 255^2 for each of 4096 blocks (frames have 16384 columns).
    cv::v_uint32x4 row_product = cv::v_setzero_u32();
    cv::v_uint32x4 row_squares = cv::v_setzero_u32();
    std::array row_sums{cv::v_setzero_u32(), cv::v_setzero_u32(), cv::v_setzero_u32()};
    for (std::size_t i = 0; i < row_bytes_; i += kBlockBytes) {
      cv::v_uint8x16 pixels;
      if (i + kBlockBytes <= region_bytes) {
        pixels = cv::v_load(row + i);
      } else {
        std::uint8_t rest[kBlockBytes]{};
        std::memcpy(rest, row + i, region_bytes - i);
        pixels = cv::v_load(rest);
      }
      pixels = pixels & cv::v_load(mask + i);
      row_product += cv::v_dotprod_expand_fast(pixels, cv::v_load(wanted + i));
      row_squares += cv::v_dotprod_expand_fast(pixels, pixels);
      const cv::v_uint32x4 whole = cv::v_reinterpret_as_u32(pixels);
      row_sums[0] += whole & low_byte;
      row_sums[1] += (whole >> 8) & low_byte;
      row_sums[2] += (whole >> 16) & low_byte;
    }
    product += cv::v_reduce_sum(row_product);
    squares += cv::v_reduce_sum(row_squares);
    for (std::size_t c = 0; c < 3; ++c) sums[c] += cv::v_reduce_sum(row_sums[c]);
  }
  double covariance = static_cast<double>(product);
  double variance = static_cast<double>(squares);
  for (std::size_t c = 0; c < 3; ++c) {
    const auto sum = static_cast<double>(sums[c]);
    covariance -= sums_[c] * sum / count_;
    variance -= sum * sum / count_;
  }
  // One pixel that differs by one level gives 0.5 or more. Anything below is a rounding error of the divisions.
  constexpr double kLeastVariance = 0.25;
  if (variance < kLeastVariance || norm_ == 0) return 0;
  return std::clamp(covariance / (norm_ * std::sqrt(variance)), -1.0, 1.0);
}

}  // namespace da::observer
