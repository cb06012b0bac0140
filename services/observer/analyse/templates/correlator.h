// Multiplies a template's cells with one channel of a level, at each place where they lie inside. Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace da::observer {

// One channel of a level. All values are within +-255.
struct Channel {
  int width = 0;
  int height = 0;
  std::vector<std::int16_t> values;

  const std::int16_t* row(int y) const {
    return values.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
  }
};

// A kernel row by row, two neighbours in each entry; after an odd row, 0.
using Factors = std::vector<std::uint32_t>;

Factors factors_of(std::span<const std::int16_t> kernel, int width, int height);

// The sums of a channel times a kernel of this size at each place where the kernel lies inside.
class Correlator {
 public:
  static constexpr int kBlock = 16;  // Results of sum_block().

  Correlator(const Channel& channel, int width, int height);

  std::size_t places() const { return static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_); }

  // One result a place, row by row. Reuses the memory of `results`.
  void run(std::span<const std::int16_t> kernel, std::vector<float>& results) const;

  // Small kernels: sum_block() may be called. Large ones are multiplied by a Fourier transform.
  bool directly() const;

  // kBlock results from this place on; those after the end of the row are wrong.
  void sum_block(const Factors& factors, int x, int y, std::int32_t* block) const;

 private:
  void make_pairs(const Channel& channel);
  void run_directly(const Factors& factors, std::vector<float>& results) const;
  void run_by_transform(std::span<const std::int16_t> kernel, std::vector<float>& results) const;

  int width_;  // Size of the kernel, with height_.
  int height_;
  int columns_;
  int rows_;
  std::size_t stride_ = 0;  // Pairs in a row.
  // Each entry holds a value and its right neighbour. Rows have a margin of zeros.
  std::vector<std::int16_t> pairs_;
  std::vector<float> floats_;  // The channel, for the transform.
};

}  // namespace da::observer
