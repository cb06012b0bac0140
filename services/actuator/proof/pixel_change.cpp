#include "services/actuator/proof/pixel_change.h"

#include <algorithm>
#include <cstring>

namespace da::actuator {
namespace {

constexpr std::size_t kBytesPerPixel = 4;
constexpr std::size_t kUsualBytes = 1920 * 1200 * kBytesPerPixel;
// Carets are up to 2 pixels wide, and up to 5 on a scaled screen.
constexpr int kWidestCaret = 6;

// The first and the last column that differ, within the columns [first, last) of two rows. The X byte may be anything.
std::optional<std::pair<int, int>> differing_columns(const std::uint8_t* before, const std::uint8_t* now, int first,
                                                     int last) {
  const auto differs = [&](int column) {
    return std::memcmp(before + column * kBytesPerPixel, now + column * kBytesPerPixel, kBytesPerPixel - 1) != 0;
  };
  while (first < last && !differs(first)) ++first;
  if (first >= last) return std::nullopt;
  while (!differs(last - 1)) --last;
  return std::pair(first, last - 1);
}

}  // namespace

void PixelMemory::keep(const FrameView& view) {
  area_ = view.area;
  const std::size_t row_bytes = static_cast<std::size_t>(area_.width) * kBytesPerPixel;
  // Room for most desktops at once: fresh pages cost more time than the pixels, and unused ones nothing.
  pixels_.clear();
  pixels_.reserve(std::max(kUsualBytes, row_bytes * static_cast<std::size_t>(area_.height)));
  for (std::size_t row = 0; row < static_cast<std::size_t>(area_.height); ++row) {
    const std::uint8_t* const begin = view.data + row * view.stride;
    pixels_.insert(pixels_.end(), begin, begin + row_bytes);
  }
  ignored_.clear();
}

std::optional<Rect> PixelMemory::change(const FrameView& now, std::span<const Rect> others) const {
  std::vector<Rect> ignored = ignored_;
  ignored.insert(ignored.end(), others.begin(), others.end());
  std::ranges::sort(ignored, {}, &Rect::x);
  const Rect both = intersection(area_, now.area);
  Rect changed;
  for (int y = both.y; y < both.bottom(); ++y) {
    const std::uint8_t* before_row =
        &pixels_[(static_cast<std::size_t>(y - area_.y) * static_cast<std::size_t>(area_.width) +
                  static_cast<std::size_t>(both.x - area_.x)) *
                 kBytesPerPixel];
    const std::uint8_t* now_row = now.data + static_cast<std::size_t>(y - now.area.y) * now.stride +
                                  static_cast<std::size_t>(both.x - now.area.x) * kBytesPerPixel;
    const auto add = [&](int first, int last) {
      if (const auto columns = differing_columns(before_row, now_row, first, last))
        changed = bounding(changed, {both.x + columns->first, y, columns->second - columns->first + 1, 1});
    };
    const std::size_t row_bytes = static_cast<std::size_t>(both.width) * kBytesPerPixel;
    if (std::memcmp(before_row, now_row, row_bytes) == 0) continue;
    int first = 0;  // The first column that is not ignored so far.
    for (const Rect& area : ignored) {
      if (area.width <= 0 || y < area.y || y >= area.bottom()) continue;
      const int left = std::clamp(area.x - both.x, 0, both.width);
      if (left > first) add(first, left);
      first = std::max(first, std::clamp(area.right() - both.x, 0, both.width));
    }
    if (first < both.width) add(first, both.width);
  }
  if (changed.width <= kWidestCaret) return std::nullopt;
  return changed;
}

}  // namespace da::actuator
