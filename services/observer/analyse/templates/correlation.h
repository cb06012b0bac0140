// The correlation coefficient of a template with one place of a region, as OpenCV's TM_CCOEFF_NORMED defines it for
// colour images, with and without a mask:
//
//   sum_c sum_i (T_ci - mean T_c) (I_ci - mean I_c)  /  sqrt(sum_c sum_i (T_ci - mean T_c)^2 * sum_c sum_i (I_ci - mean
//   I_c)^2)
//
// over the channels c and the pixels i that count; 0 where the region has one colour. Sums are exact integers. Any
// thread.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "services/observer/analyse/templates/template_pixels.h"

namespace da::observer {

class Correlation {
 public:
  // The template must not have only one colour.
  explicit Correlation(const TemplatePixels& wanted);

  // -1..1. The template at `at` must lie inside of the region.
  double at(const frames::PixelView& region, Point at) const;

  int width() const { return width_; }
  int height() const { return height_; }

 private:
  int width_;
  int height_;
  std::size_t row_bytes_;             // Multiple of 16.
  std::vector<std::uint8_t> pixels_;  // Rows of row_bytes_, with zeros after the last pixel and where no pixel counts.
  std::vector<std::uint8_t> mask_;    // Like pixels_, 255 in all bytes of pixels that count.
  double count_ = 0;                  // Pixels that count.
  std::array<double, 3> sums_{};      // Sum of each channel over the pixels that count.
  double norm_ = 0;                   // The square root of the template's sum of squared differences.
};

}  // namespace da::observer
