#include "services/observer/image/area_mean.h"

#include <algorithm>
#include <vector>

namespace da::observer {
namespace {

constexpr std::size_t kChannels = 4;
// The sum of the weights of one result: a weighted sum of bytes fits in 16 bits, and one of such sums in 32.
constexpr std::int64_t kWeightSum = 256;

// The pixels of a line that each pixel of the smaller line covers, with their weights.
class Cover {
 public:
  Cover(int from, int to) {
    for (std::int64_t result = 0; result < to; ++result) {
      // `begin` and `end` are in units of 1/to pixel.
      const std::int64_t begin = result * from;
      const std::int64_t end = begin + from;
      starts_.push_back({static_cast<std::size_t>(begin / to), weights_.size()});
      // Round the sums instead of the weights, so that the weights add up to kWeightSum.
      std::int64_t before = 0;
      for (std::int64_t pixel = begin / to; pixel * to < end; ++pixel) {
        const std::int64_t covered = std::min((pixel + 1) * to, end) - begin;
        const std::int64_t sum = (covered * kWeightSum + from / 2) / from;
        weights_.push_back(static_cast<std::uint16_t>(sum - before));
        before = sum;
      }
    }
    starts_.push_back({0, weights_.size()});
  }

  std::size_t first(std::size_t result) const { return starts_[result].pixel; }
  const std::uint16_t* begin(std::size_t result) const { return weights_.data() + starts_[result].weight; }
  const std::uint16_t* end(std::size_t result) const { return weights_.data() + starts_[result + 1].weight; }

 private:
  struct Start {
    std::size_t pixel;
    std::size_t weight;
  };
  std::vector<Start> starts_;
  std::vector<std::uint16_t> weights_;
};

// Adds a weighted row of the frame. The compiler vectorizes this loop.
void add_row(const std::uint8_t* row, std::uint16_t weight, std::size_t bytes, std::uint16_t* __restrict sums) {
  for (std::size_t i = 0; i < bytes; ++i) sums[i] = static_cast<std::uint16_t>(sums[i] + row[i] * weight);
}

void squeeze(const std::uint16_t* sums, const Cover& cover, std::size_t width, std::uint8_t* __restrict to) {
  for (std::size_t x = 0; x < width; ++x, to += kChannels) {
    const std::uint16_t* pixel = sums + cover.first(x) * kChannels;
    std::uint32_t mean[kChannels] = {1 << 15, 1 << 15, 1 << 15, 1 << 15};  // One half, to round the mean.
    for (const auto* weight = cover.begin(x); weight != cover.end(x); ++weight, pixel += kChannels) {
      for (std::size_t channel = 0; channel < kChannels; ++channel) {
        mean[channel] += std::uint32_t{pixel[channel]} * *weight;
      }
    }
    for (std::size_t channel = 0; channel < kChannels; ++channel) {
      to[channel] = static_cast<std::uint8_t>(mean[channel] >> 16);
    }
  }
}

}  // namespace

void area_mean(const frames::PixelView& frame, int width, int height, std::uint8_t* to) {
  const Cover rows(frame.height, height);
  const Cover columns(frame.width, width);
  const auto to_width = static_cast<std::size_t>(width);
  std::vector<std::uint16_t> sums(static_cast<std::size_t>(frame.width) * kChannels);
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y, to += to_width * kChannels) {
    std::ranges::fill(sums, 0);
    const std::uint8_t* row = frame.data + rows.first(y) * frame.stride;
    for (const auto* weight = rows.begin(y); weight != rows.end(y); ++weight, row += frame.stride) {
      add_row(row, *weight, sums.size(), sums.data());
    }
    squeeze(sums.data(), columns, to_width, to);
  }
}

}  // namespace da::observer
