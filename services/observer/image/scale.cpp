#include "services/observer/image/scale.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "services/observer/image/area_mean.h"
#include "services/observer/image/mat.h"

namespace da::observer {

Size fit(Size original, const v1::ImageLimits& limits) {
  const double longer = std::max(original.width, original.height);
  const double shorter = std::min(original.width, original.height);
  const double area = longer * shorter;
  double factor = 1;
  if (limits.long_edge() > 0) factor = std::min(factor, limits.long_edge() / longer);
  if (limits.short_edge() > 0) factor = std::min(factor, limits.short_edge() / shorter);
  if (limits.area() > 0) factor = std::min(factor, std::sqrt(limits.area() / area));
  if (factor >= 1) return original;
  // Round down, to stay within the limits.
  return {std::max(1, static_cast<int>(original.width * factor)),
          std::max(1, static_cast<int>(original.height * factor))};
}

frames::PixelView scale_down(const frames::PixelView& frame, Size size, std::vector<std::uint8_t>& buffer) {
  const auto stride = static_cast<std::size_t>(size.width) * 4;
  buffer.resize(stride * static_cast<std::size_t>(size.height));
  area_mean(frame, size.width, size.height, buffer.data());
  return {buffer.data(), size.width, size.height, stride};
}

void enlarge(const frames::PixelView& part, const v1::ImageLimits& limits, Canvas& canvas) {
  constexpr int kMostTimes = 4;
  constexpr int kLargest = 1024;
  const Size original{part.width, part.height};
  Size size = fit(original, limits);
  for (int times = 2; times <= kMostTimes && size.width >= part.width; ++times) {
    const Size larger{times * part.width, times * part.height};
    if (std::max(larger.width, larger.height) > kLargest || fit(larger, limits) != larger) break;
    size = larger;
  }
  cv::Mat rgb;
  cv::cvtColor(mat_of(part), rgb, cv::COLOR_BGRA2RGB);
  canvas.resize(size.width, size.height);
  cv::Mat to = mat_of(canvas);
  cv::resize(rgb, to, to.size(), 0, 0, size.width < part.width ? cv::INTER_AREA : cv::INTER_CUBIC);
}

}  // namespace da::observer
