#include "services/observer/analyse/coarse_search.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <opencv2/core/hal/intrin.hpp>
#include <opencv2/imgproc.hpp>
#include <span>

namespace da::observer {
namespace {

// From so many cells on, OpenCV's correlation by Fourier transform is faster.
constexpr int kMostCellsDirectly = 256;
constexpr int kResultBlock = 16;  // Results that are computed together.
// A window whose cells differ less (mean square) shows nothing but rounding.
constexpr double kLeastVariance = 0.1;

// One channel of a level. All values are within +-255.
struct Channel {
  int width = 0;
  int height = 0;
  std::vector<std::int16_t> values;

  const std::int16_t* row(int y) const { return values.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width); }
};

Channel project(const frames::PixelView& level, const Projection& projection) {
  Channel channel{level.width, level.height, {}};
  channel.values.resize(static_cast<std::size_t>(level.width) * static_cast<std::size_t>(level.height));
  auto to = channel.values.begin();
  for (int y = 0; y < level.height; ++y) {
    const std::uint8_t* row = level.data + static_cast<std::size_t>(y) * level.stride;
    for (int x = 0; x < level.width; ++x) *to++ = projection.of(row + static_cast<std::size_t>(x) * 4);
  }
  return channel;
}

// A quarter of the squares, so that they fit.
Channel squares_of(const Channel& channel) {
  Channel squares = channel;
  for (std::int16_t& value : squares.values) value = static_cast<std::int16_t>((value * value) >> 2);
  return squares;
}

// The sums of a channel times a kernel at each place where the kernel lies inside.
class Correlator {
 public:
  Correlator(const Channel& channel, int width, int height)
      : width_(width), height_(height), columns_(channel.width - width + 1), rows_(channel.height - height + 1) {
    if (directly()) {
      make_pairs(channel);
    } else {
      cv::Mat(channel.height, channel.width, CV_16SC1, const_cast<std::int16_t*>(channel.values.data()))
          .convertTo(floats_, CV_32F);
    }
  }

  std::size_t places() const { return static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_); }

  // One result a place, row by row.
  std::vector<float> run(std::span<const std::int16_t> kernel) const {
    return directly() ? run_directly(kernel) : run_by_transform(kernel);
  }

 private:
  bool directly() const { return width_ * height_ <= kMostCellsDirectly; }

  // Each entry holds a value and its right neighbour, as v_dotprod multiplies them. Rows have a margin of zeros.
  void make_pairs(const Channel& channel) {
    stride_ = static_cast<std::size_t>(channel.width + width_ + kResultBlock);
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

  std::vector<float> run_directly(std::span<const std::int16_t> kernel) const {
    const int kernel_pairs = (width_ + 1) / 2;
    std::vector<cv::v_int16x8> factors;
    for (int y = 0; y < height_; ++y) {
      for (int pair = 0; pair < kernel_pairs; ++pair) {
        const auto at = static_cast<std::size_t>(y * width_ + 2 * pair);
        const std::uint16_t low = static_cast<std::uint16_t>(kernel[at]);
        const std::uint16_t high = 2 * pair + 1 < width_ ? static_cast<std::uint16_t>(kernel[at + 1]) : std::uint16_t{0};
        factors.push_back(cv::v_reinterpret_as_s16(cv::v_setall_u32(low | std::uint32_t{high} << 16)));
      }
    }
    std::vector<float> results(places());
    for (int y = 0; y < rows_; ++y) {
      for (int x = 0; x < columns_; x += kResultBlock) {
        std::int32_t block[kResultBlock];
        sum_block(factors, kernel_pairs, x, y, block);
        const int count = std::min(kResultBlock, columns_ - x);
        std::copy_n(block, count, results.begin() + static_cast<std::ptrdiff_t>(y) * columns_ + x);
      }
    }
    return results;
  }

  void sum_block(const std::vector<cv::v_int16x8>& factors, int kernel_pairs, int x, int y, std::int32_t* block) const {
    cv::v_int32x4 a = cv::v_setzero_s32(), b = a, c = a, d = a;
    const cv::v_int16x8* factor = factors.data();
    for (int kernel_y = 0; kernel_y < height_; ++kernel_y) {
      const std::int16_t* row = pairs_.data() + (static_cast<std::size_t>(y + kernel_y) * stride_ + static_cast<std::size_t>(x)) * 2;
      for (int pair = 0; pair < kernel_pairs; ++pair, row += 4, ++factor) {
        a = cv::v_dotprod(cv::v_load(row), *factor, a);
        b = cv::v_dotprod(cv::v_load(row + 8), *factor, b);
        c = cv::v_dotprod(cv::v_load(row + 16), *factor, c);
        d = cv::v_dotprod(cv::v_load(row + 24), *factor, d);
      }
    }
    cv::v_store(block, a);
    cv::v_store(block + 4, b);
    cv::v_store(block + 8, c);
    cv::v_store(block + 12, d);
  }

  std::vector<float> run_by_transform(std::span<const std::int16_t> kernel) const {
    cv::Mat factors;
    cv::Mat(height_, width_, CV_16SC1, const_cast<std::int16_t*>(kernel.data())).convertTo(factors, CV_32F);
    cv::Mat results;
    cv::matchTemplate(floats_, factors, results, cv::TM_CCORR);
    return {results.ptr<float>(), results.ptr<float>() + results.total()};
  }

  int width_;  // Of the kernel.
  int height_;
  int columns_;
  int rows_;
  std::size_t stride_ = 0;  // Pairs in a row.
  std::vector<std::int16_t> pairs_;
  cv::Mat floats_;
};

// The norm of each window's differences from its mean; 0 where there are none.
std::vector<float> norms(std::span<const double> sums, std::span<const double> squares, int count) {
  std::vector<float> result(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double variance = squares[i] - sums[i] * sums[i] / count;
    result[i] = variance > kLeastVariance * count ? static_cast<float>(std::sqrt(variance)) : 0;
  }
  return result;
}

// All cells count: sums of rectangles, by one running sum a column.
std::vector<float> window_norms(const Channel& channel, int width, int height) {
  std::vector<std::int64_t> column_sums(static_cast<std::size_t>(channel.width));
  std::vector<std::int64_t> column_squares(column_sums.size());
  std::vector<double> sums, squares;
  const auto add_row = [&](int y, int sign) {
    const std::int16_t* row = channel.row(y);
    for (std::size_t x = 0; x < column_sums.size(); ++x) {
      column_sums[x] += sign * row[x];
      column_squares[x] += sign * row[x] * row[x];
    }
  };
  for (int y = 0; y < channel.height; ++y) {
    add_row(y, 1);
    if (y >= height) add_row(y - height, -1);
    if (y + 1 < height) continue;
    std::int64_t sum = 0, square = 0;
    for (int x = 0; x < channel.width; ++x) {
      const auto at = static_cast<std::size_t>(x);
      sum += column_sums[at];
      square += column_squares[at];
      if (x >= width) {
        sum -= column_sums[at - static_cast<std::size_t>(width)];
        square -= column_squares[at - static_cast<std::size_t>(width)];
      }
      if (x + 1 < width) continue;
      sums.push_back(static_cast<double>(sum));
      squares.push_back(static_cast<double>(square));
    }
  }
  return norms(sums, squares, width * height);
}

std::vector<float> masked_norms(const Correlator& values, const Correlator& quarter_squares, const CoarsePhase& phase) {
  const std::vector<std::int16_t> counts(phase.counts.begin(), phase.counts.end());
  const auto sums = values.run(counts);
  const auto squares = quarter_squares.run(counts);
  const std::vector<double> all_sums(sums.begin(), sums.end());
  std::vector<double> all_squares(squares.begin(), squares.end());
  for (double& square : all_squares) square *= 4;
  return norms(all_sums, all_squares, phase.counted);
}

// The best phase at each place.
struct Scores {
  int columns = 0;
  int rows = 0;
  std::vector<float> score;
  std::vector<std::uint8_t> phase;

  float at(int x, int y) const { return score[static_cast<std::size_t>(y) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(x)]; }
};

Scores score_all(const Channel& channel, const CoarseTemplate& wanted) {
  const Correlator values(channel, wanted.width, wanted.height);
  Scores scores{channel.width - wanted.width + 1, channel.height - wanted.height + 1, {}, {}};
  scores.score.assign(values.places(), -1);
  scores.phase.assign(values.places(), 0);
  std::vector<float> all_norms;
  std::unique_ptr<Correlator> squares;
  for (std::size_t i = 0; i < wanted.phases.size(); ++i) {
    const CoarsePhase& phase = wanted.phases[i];
    if (phase.counts.empty()) {
      if (all_norms.empty()) all_norms = window_norms(channel, wanted.width, wanted.height);
    } else if (!squares) {
      squares = std::make_unique<Correlator>(squares_of(channel), wanted.width, wanted.height);
    }
    const auto own_norms = phase.counts.empty() ? std::vector<float>() : masked_norms(values, *squares, phase);
    const std::vector<float>& region_norms = phase.counts.empty() ? all_norms : own_norms;
    const auto products = values.run(phase.cells);
    const auto scale = static_cast<float>(1 / (kCellScale * std::max(phase.norm, 1e-9)));
    for (std::size_t at = 0; at < products.size(); ++at) {
      const float score = region_norms[at] > 0 ? products[at] * scale / region_norms[at] : 0;
      if (score <= scores.score[at]) continue;
      scores.score[at] = score;
      scores.phase[at] = static_cast<std::uint8_t>(i);
    }
  }
  return scores;
}

// Of equal neighbours, the first in reading order.
bool is_local_maximum(const Scores& scores, int x, int y) {
  const float score = scores.at(x, y);
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      const int nx = x + dx;
      const int ny = y + dy;
      if ((dx == 0 && dy == 0) || nx < 0 || ny < 0 || nx >= scores.columns || ny >= scores.rows) continue;
      const bool earlier = dy < 0 || (dy == 0 && dx < 0);
      if (earlier ? scores.at(nx, ny) >= score : scores.at(nx, ny) > score) return false;
    }
  }
  return true;
}

}  // namespace

std::vector<CoarsePlace> coarse_places(const frames::PixelView& level, const CoarseTemplate& wanted,
                                       const Projection& projection, double least_score, std::size_t most,
                                       std::size_t always) {
  if (level.width < wanted.width || level.height < wanted.height) return {};
  const Scores scores = score_all(project(level, projection), wanted);
  const int side = 1 << wanted.halvings;
  std::vector<CoarsePlace> places;
  for (int y = 0; y < scores.rows; ++y) {
    for (int x = 0; x < scores.columns; ++x) {
      if (scores.at(x, y) <= 0 || !is_local_maximum(scores, x, y)) continue;
      const std::size_t phase = scores.phase[static_cast<std::size_t>(y) * static_cast<std::size_t>(scores.columns) + static_cast<std::size_t>(x)];
      const Point offset = wanted.phases[phase].phase;
      places.push_back({{x * side - offset.x, y * side - offset.y}, scores.at(x, y)});
    }
  }
  const auto kept = places.begin() + static_cast<std::ptrdiff_t>(std::min(most, places.size()));
  std::ranges::partial_sort(places, kept, std::greater<>(), &CoarsePlace::score);
  places.erase(kept, places.end());
  while (places.size() > always && places.back().score < least_score) places.pop_back();
  return places;
}

}  // namespace da::observer
