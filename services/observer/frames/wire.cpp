#include "services/observer/frames/wire.h"

#include <algorithm>

namespace da::observer {
namespace {

constexpr int kFarthestPixel = 1 << 24;

int clamp_pixel(std::int64_t value) {
  return static_cast<int>(std::clamp<std::int64_t>(value, -kFarthestPixel, kFarthestPixel));
}

}  // namespace

Rect rect_from_wire(const v1::Rect& rect) {
  const int x = clamp_pixel(rect.x());
  const int y = clamp_pixel(rect.y());
  return {x, y, clamp_pixel(std::int64_t{rect.x()} + rect.width()) - x,
          clamp_pixel(std::int64_t{rect.y()} + rect.height()) - y};
}

v1::Rect rect_to_wire(const Rect& rect) {
  v1::Rect out;
  out.set_x(rect.x);
  out.set_y(rect.y);
  out.set_width(static_cast<std::uint32_t>(std::max(0, rect.width)));
  out.set_height(static_cast<std::uint32_t>(std::max(0, rect.height)));
  return out;
}

Point point_from_wire(const v1::Point& point) { return {clamp_pixel(point.x()), clamp_pixel(point.y())}; }

}  // namespace da::observer
