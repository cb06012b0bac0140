#include "services/observer/analyse/templates/correlator.h"

#include <algorithm>
#include <opencv2/core/hal/intrin.hpp>
#include <opencv2/imgproc.hpp>

namespace da::observer {
namespace {

// From so many cells on, OpenCV's correlation by Fourier transform is faster.
constexpr int kMostCellsDirectly = 256;

}  // namespace

Factors factors_of(std::span<const std::int16_t> kernel, int width, int height) {
  Factors factors;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; x += 2) {
      const auto at = static_cast<std::size_t>(y * width + x);
      const auto low = static_cast<std::uint16_t>(kernel[at]);
      const auto high = x + 1 < width ? static_cast<std::uint16_t>(kernel[at + 1]) : std::uint16_t{0};
      factors.push_back(low | std::uint32_t{high} << 16);
    }
  }
  return factors;
}

Correlator::Correlator(const Channel& channel, int width, int height)
    : width_(width), height_(height), columns_(channel.width - width + 1), rows_(channel.height - height + 1) {
  if (directly()) {
    make_pairs(channel);
  } else {
    floats_.assign(channel.values.begin(), channel.values.end());
  }
}

bool Correlator::directly() const { return width_ * height_ <= kMostCellsDirectly; }

void Correlator::run(std::span<const std::int16_t> kernel, std::vector<float>& results) const {
  results.resize(places());
  if (directly()) {
    run_directly(factors_of(kernel, width_, height_), results);
  } else {
    run_by_transform(kernel, results);
  }
}

void Correlator::make_pairs(const Channel& channel) {
  stride_ = static_cast<std::size_t>(channel.width + width_ + kBlock);
  pairs_.assign(stride_ * static_cast<std::size_t>(channel.height) * 2, 0);
  for (int y = 0; y < channel.height; ++y) {
    const std::int16_t* row = channel.row(y);
    std::int16_t* to = pairs_.data() + static_cast<std::size_t>(y) * stride_ * 2;
    for (int x = 0; x < channel.width; ++x) {
      to[2 * x] = row[x];
      to[2 * x + 1] = x + 1 < channel.width ? row[x + 1] : std::int16_t{0};
    }
  }
}

void Correlator::run_directly(const Factors& factors, std::vector<float>& results) const {
  for (int y = 0; y < rows_; ++y) {
    for (int x = 0; x < columns_; x += kBlock) {
      std::int32_t block[kBlock];
      sum_block(factors, x, y, block);
      const int count = std::min(kBlock, columns_ - x);
      std::copy_n(block, count, results.begin() + static_cast<std::ptrdiff_t>(y) * columns_ + x);
    }
  }
}

void Correlator::sum_block(const Factors& factors, int x, int y, std::int32_t* block) const {
  cv::v_int32x4 a = cv::v_setzero_s32(), b = a, c = a, d = a;
  const std::uint32_t* next = factors.data();
  const int kernel_pairs = (width_ + 1) / 2;
  for (int kernel_y = 0; kernel_y < height_; ++kernel_y) {
    const std::int16_t* row =
        pairs_.data() + (static_cast<std::size_t>(y + kernel_y) * stride_ + static_cast<std::size_t>(x)) * 2;
    for (int pair = 0; pair < kernel_pairs; ++pair, row += 4) {
      const cv::v_int16x8 factor = cv::v_reinterpret_as_s16(cv::v_setall_u32(*next++));
      a = cv::v_dotprod(cv::v_load(row), factor, a);
      b = cv::v_dotprod(cv::v_load(row + 8), factor, b);
      c = cv::v_dotprod(cv::v_load(row + 16), factor, c);
      d = cv::v_dotprod(cv::v_load(row + 24), factor, d);
    }
  }
  cv::v_store(block, a);
  cv::v_store(block + 4, b);
  cv::v_store(block + 8, c);
  cv::v_store(block + 12, d);
}

void Correlator::run_by_transform(std::span<const std::int16_t> kernel, std::vector<float>& results) const {
  cv::Mat factors;
  cv::Mat(height_, width_, CV_16SC1, const_cast<std::int16_t*>(kernel.data())).convertTo(factors, CV_32F);
  const cv::Mat from(rows_ + height_ - 1, columns_ + width_ - 1, CV_32FC1, const_cast<float*>(floats_.data()));
  cv::Mat to(rows_, columns_, CV_32FC1, results.data());
  cv::matchTemplate(from, factors, to, cv::TM_CCORR);
}

}  // namespace da::observer
