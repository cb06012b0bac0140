#include "services/observer/analyse/templates/coarse_search.h"

#include <algorithm>
#include <cmath>
#include <opencv2/core/hal/intrin.hpp>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <span>
#include <utility>

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

  const std::int16_t* row(int y) const {
    return values.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
  }
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

  // One result a place, row by row. Reuses the memory of `results`.
  void run(std::span<const std::int16_t> kernel, std::vector<float>& results) const {
    results.resize(places());
    if (directly()) {
      run_directly(kernel, results);
    } else {
      run_by_transform(kernel, results);
    }
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

  void run_directly(std::span<const std::int16_t> kernel, std::vector<float>& results) const {
    const int kernel_pairs = (width_ + 1) / 2;
    std::vector<cv::v_int16x8> factors;
    for (int y = 0; y < height_; ++y) {
      for (int pair = 0; pair < kernel_pairs; ++pair) {
        const auto at = static_cast<std::size_t>(y * width_ + 2 * pair);
        const std::uint16_t low = static_cast<std::uint16_t>(kernel[at]);
        const std::uint16_t high =
            2 * pair + 1 < width_ ? static_cast<std::uint16_t>(kernel[at + 1]) : std::uint16_t{0};
        factors.push_back(cv::v_reinterpret_as_s16(cv::v_setall_u32(low | std::uint32_t{high} << 16)));
      }
    }
    for (int y = 0; y < rows_; ++y) {
      for (int x = 0; x < columns_; x += kResultBlock) {
        std::int32_t block[kResultBlock];
        sum_block(factors, kernel_pairs, x, y, block);
        const int count = std::min(kResultBlock, columns_ - x);
        std::copy_n(block, count, results.begin() + static_cast<std::ptrdiff_t>(y) * columns_ + x);
      }
    }
  }

  void sum_block(const std::vector<cv::v_int16x8>& factors, int kernel_pairs, int x, int y, std::int32_t* block) const {
    cv::v_int32x4 a = cv::v_setzero_s32(), b = a, c = a, d = a;
    const cv::v_int16x8* factor = factors.data();
    for (int kernel_y = 0; kernel_y < height_; ++kernel_y) {
      const std::int16_t* row =
          pairs_.data() + (static_cast<std::size_t>(y + kernel_y) * stride_ + static_cast<std::size_t>(x)) * 2;
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

  void run_by_transform(std::span<const std::int16_t> kernel, std::vector<float>& results) const {
    cv::Mat factors;
    cv::Mat(height_, width_, CV_16SC1, const_cast<std::int16_t*>(kernel.data())).convertTo(factors, CV_32F);
    cv::Mat to(rows_, columns_, CV_32FC1, results.data());
    cv::matchTemplate(floats_, factors, to, cv::TM_CCORR);
  }

  int width_;  // Of the kernel.
  int height_;
  int columns_;
  int rows_;
  std::size_t stride_ = 0;  // Pairs in a row.
  std::vector<std::int16_t> pairs_;
  cv::Mat floats_;
};

// All cells count: adds the sum of squared differences from the window's mean, for each place.
void add_variances(const Channel& channel, int width, int height, std::vector<float>& variances) {
  std::vector<std::int32_t> column_sums(static_cast<std::size_t>(channel.width));
  std::vector<std::int32_t> column_squares(column_sums.size());
  float* to = variances.data();
  const auto add_row = [&](int y, int sign) {
    const std::int16_t* row = channel.row(y);
    for (std::size_t x = 0; x < column_sums.size(); ++x) {
      column_sums[x] += sign * row[x];
      column_squares[x] += sign * row[x] * row[x];
    }
  };
  const auto width_size = static_cast<std::size_t>(width);
  const double count = static_cast<double>(width) * height;
  for (int y = 0; y < channel.height; ++y) {
    add_row(y, 1);
    if (y >= height) add_row(y - height, -1);
    if (y + 1 < height) continue;
    std::int64_t sum = 0, squares = 0;
    for (std::size_t x = 0; x < column_sums.size(); ++x) {
      sum += column_sums[x];
      squares += column_squares[x];
      if (x >= width_size) {
        sum -= column_sums[x - width_size];
        squares -= column_squares[x - width_size];
      }
      if (x + 1 < width_size) continue;
      *to++ += static_cast<float>(static_cast<double>(squares) -
                                  static_cast<double>(sum) * static_cast<double>(sum) / count);
    }
  }
}

// 1 / the norm of a window's differences from its mean; 0 if there are none.
void invert(std::vector<float>& variances, int count) {
  const float least = static_cast<float>(kLeastVariance * count);
  for (float& value : variances) value = value > least ? 1 / std::sqrt(value) : 0;
}

// A channel of the level with what is needed to correlate it.
struct Correlated {
  Correlated(Channel of, const CoarseTemplate& wanted, bool masked)
      : channel(std::move(of)), values(channel, wanted.width, wanted.height) {
    if (masked) quarter_squares.emplace(squares_of(channel), wanted.width, wanted.height);
  }

  Channel channel;
  Correlator values;
  std::optional<Correlator> quarter_squares;
};

void add_masked_variances(const Correlated& channel, const CoarsePhase& phase, std::vector<float>& variances) {
  const std::vector<std::int16_t> counts(phase.counts.begin(), phase.counts.end());
  std::vector<float> sums, squares;
  channel.values.run(counts, sums);
  channel.quarter_squares->run(counts, squares);
  for (std::size_t i = 0; i < sums.size(); ++i)
    variances[i] += 4 * squares[i] - sums[i] * sums[i] / static_cast<float>(phase.counted);
}

// The best phase at each place.
struct Scores {
  int columns = 0;
  int rows = 0;
  std::vector<float> score;
  std::vector<std::int32_t> phase;

  const float* row(int y) const {
    return score.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(columns);
  }
};

void keep_better(std::span<const float> products, std::span<const float> norms, float scale, std::int32_t phase,
                 Scores& scores) {
  float* const score = scores.score.data();
  std::int32_t* const best = scores.phase.data();
  for (std::size_t at = 0; at < products.size(); ++at) {
    const float found = products[at] * scale * norms[at];
    best[at] = found > score[at] ? phase : best[at];
    score[at] = std::max(found, score[at]);
  }
}

std::vector<float> inverse_norms(const std::vector<Correlated>& channels, const CoarseTemplate& wanted,
                                 const CoarsePhase& phase, std::size_t places) {
  std::vector<float> norms(places);
  for (const Correlated& channel : channels) {
    if (phase.counts.empty()) {
      add_variances(channel.channel, wanted.width, wanted.height, norms);
    } else {
      add_masked_variances(channel, phase, norms);
    }
  }
  invert(norms, phase.counted);
  return norms;
}

Scores score_all(const frames::PixelView& level, const CoarseTemplate& wanted) {
  const bool masked =
      std::ranges::any_of(wanted.phases, [](const CoarsePhase& phase) { return !phase.counts.empty(); });
  std::vector<Correlated> channels;
  for (const Projection& projection : wanted.channels)
    channels.emplace_back(project(level, projection), wanted, masked);
  Scores scores{level.width - wanted.width + 1, level.height - wanted.height + 1, {}, {}};
  const std::size_t places = channels.front().values.places();
  scores.score.assign(places, 0);
  scores.phase.assign(places, 0);
  std::vector<float> norms, products, more;
  const auto cells = static_cast<std::size_t>(wanted.width) * static_cast<std::size_t>(wanted.height);
  for (std::size_t i = 0; i < wanted.phases.size(); ++i) {
    const CoarsePhase& phase = wanted.phases[i];
    if (norms.empty() || masked) norms = inverse_norms(channels, wanted, phase, places);
    for (std::size_t c = 0; c < channels.size(); ++c) {
      channels[c].values.run(std::span(phase.cells).subspan(c * cells, cells), c == 0 ? products : more);
      for (std::size_t at = 0; c > 0 && at < places; ++at) products[at] += more[at];
    }
    const auto scale = static_cast<float>(1 / (kCellScale * std::max(phase.norm, 1e-9)));
    keep_better(products, norms, scale, static_cast<std::int32_t>(i), scores);
  }
  return scores;
}

// Of equal neighbours, the first in reading order.
bool is_local_maximum(const Scores& scores, int x, int y) {
  const float score = scores.row(y)[x];
  const int left = std::max(0, x - 1);
  const int right = std::min(scores.columns - 1, x + 1);
  for (int other_y = std::max(0, y - 1); other_y <= std::min(scores.rows - 1, y + 1); ++other_y) {
    const float* row = scores.row(other_y);
    for (int other_x = left; other_x <= right; ++other_x) {
      const bool earlier = other_y < y || (other_y == y && other_x < x);
      if (row[other_x] > score || (earlier && row[other_x] == score)) return false;
    }
  }
  return true;
}

// Best first.
std::vector<CoarsePlace> local_maxima(const Scores& scores, const CoarseTemplate& wanted, float above,
                                      std::size_t most) {
  const int side = 1 << wanted.halvings;
  std::vector<CoarsePlace> places;
  for (int y = 0; y < scores.rows; ++y) {
    const float* row = scores.row(y);
    for (int x = 0; x < scores.columns; ++x) {
      if (row[x] <= above || !is_local_maximum(scores, x, y)) continue;
      const std::int32_t phase = scores.phase[static_cast<std::size_t>(row - scores.row(0) + x)];
      const Point offset = wanted.phases[static_cast<std::size_t>(phase)].phase;
      places.push_back({{x * side - offset.x, y * side - offset.y}, row[x]});
    }
  }
  const auto kept = places.begin() + static_cast<std::ptrdiff_t>(std::min(most, places.size()));
  std::ranges::partial_sort(places, kept, std::greater<>(), &CoarsePlace::score);
  places.erase(kept, places.end());
  return places;
}

}  // namespace

std::vector<CoarsePlace> coarse_places(const frames::PixelView& level, const CoarseTemplate& wanted, double least_score,
                                       std::size_t most, std::size_t always) {
  if (level.width < wanted.width || level.height < wanted.height) return {};
  const Scores scores = score_all(level, wanted);
  auto places = local_maxima(scores, wanted, static_cast<float>(least_score), most);
  if (places.size() < always) places = local_maxima(scores, wanted, 0, always);
  return places;
}

}  // namespace da::observer
