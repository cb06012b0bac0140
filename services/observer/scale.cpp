#include "services/observer/scale.h"

#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "services/observer/area_mean.h"

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
  // Rounded down, so that no limit is passed.
  return {std::max(1, static_cast<int>(original.width * factor)),
          std::max(1, static_cast<int>(original.height * factor))};
}

PixelView scale_down(const PixelView& frame, Size size, std::vector<std::uint8_t>& buffer) {
  const auto stride = static_cast<std::size_t>(size.width) * 4;
  buffer.resize(stride * static_cast<std::size_t>(size.height));
  area_mean(frame, size.width, size.height, buffer.data());
  return {buffer.data(), size.width, size.height, stride};
}

void enlarge(const PixelView& part, const v1::ImageLimits& limits, Canvas& canvas) {
  constexpr int kMostTimes = 4;
  constexpr int kLargest = 1024;
  const Size original{part.width, part.height};
  Size size = fit(original, limits);
  for (int times = 2; times <= kMostTimes && size.width >= part.width; ++times) {
    const Size larger{times * part.width, times * part.height};
    if (std::max(larger.width, larger.height) > kLargest || fit(larger, limits) != larger) break;
    size = larger;
  }
  // OpenCV has no view of constant pixels; this one is only read.
  const cv::Mat from(part.height, part.width, CV_8UC4, const_cast<std::uint8_t*>(part.data), part.stride);
  cv::Mat rgb;
  cv::cvtColor(from, rgb, cv::COLOR_BGRA2RGB);
  canvas.resize(size.width, size.height);
  cv::Mat to(size.height, size.width, CV_8UC3, canvas.pixel(0, 0), canvas.stride());
  cv::resize(rgb, to, to.size(), 0, 0, size.width < part.width ? cv::INTER_AREA : cv::INTER_CUBIC);
}

}  // namespace da::observer
