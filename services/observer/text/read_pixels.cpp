#include "services/observer/text/read_pixels.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <opencv2/imgproc.hpp>

#include "services/observer/image/mat.h"

namespace da::observer {
namespace {

// Levels of grey. Faint text differs more from pixel to pixel, gradients of a background differ less.
constexpr int kLeastContrast = 12;

std::size_t size_of(const Rect& area) {
  return static_cast<std::size_t>(area.width) * static_cast<std::size_t>(area.height);
}

bool differs(std::uint8_t a, std::uint8_t b) { return std::abs(int{a} - int{b}) > kLeastContrast; }

}  // namespace

void ReadPixels::reset(const frames::PixelView& frame, const Rect& area) {
  area_ = area;
  grey_.resize(size_of(area));
  if (area.empty()) return;
  cv::Mat grey(area.height, area.width, CV_8UC1, grey_.data());
  cv::cvtColor(mat_of(frame.part(area)), grey, cv::COLOR_BGRA2GRAY);
}

void ReadPixels::update(const frames::PixelView& frame, const Rect& tile, std::vector<Rect>& changed) {
  tile_.resize(size_of(tile));
  cv::Mat grey(tile.height, tile.width, CV_8UC1, tile_.data());
  cv::cvtColor(mat_of(frame.part(tile)), grey, cv::COLOR_BGRA2GRAY);
  const auto width = static_cast<std::size_t>(tile.width);
  Rect run;
  for (int y = tile.y; y < tile.bottom(); ++y) {
    const std::uint8_t* now = tile_.data() + static_cast<std::size_t>(y - tile.y) * width;
    auto* before = const_cast<std::uint8_t*>(at(tile.x, y));
    if (std::memcmp(now, before, width) == 0) {
      if (!run.empty()) changed.push_back(run);
      run = {};
      continue;
    }
    const auto first = static_cast<int>(std::mismatch(now, now + width, before).first - now);
    int last = tile.width - 1;
    while (now[last] == before[last]) --last;
    run = bounding(run, {tile.x + first, y, last - first + 1, 1});
    std::memcpy(before, now, width);
  }
  if (!run.empty()) changed.push_back(run);
}

bool ReadPixels::has_ink_in_row(int y, int left, int right) const {
  const std::uint8_t* row = at(left, y);
  for (int i = 1; i < right - left; ++i) {
    if (differs(row[i - 1], row[i])) return true;
  }
  return false;
}

bool ReadPixels::has_ink_in_column(int x, int top, int bottom) const {
  for (int y = top + 1; y < bottom; ++y) {
    if (differs(*at(x, y - 1), *at(x, y))) return true;
  }
  return false;
}

const std::uint8_t* ReadPixels::at(int x, int y) const {
  return grey_.data() + static_cast<std::size_t>(y - area_.y) * static_cast<std::size_t>(area_.width) +
         static_cast<std::size_t>(x - area_.x);
}

}  // namespace da::observer
