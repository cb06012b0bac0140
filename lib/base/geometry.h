// Points and rectangles in pixels. A rectangle is half open: x <= px < x + width. Plain values; any thread. The wire
// forms are da.v1.Point and da.v1.Rect (lib/contract/coordinates.h converts).
#pragma once

#include <algorithm>
#include <cstdint>

namespace da {

struct Point {
  int x = 0;
  int y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

struct Rect {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;

  bool empty() const { return width <= 0 || height <= 0; }
  std::int64_t area() const { return empty() ? 0 : std::int64_t{width} * height; }
  int right() const { return x + width; }
  int bottom() const { return y + height; }
  Point center() const { return {x + width / 2, y + height / 2}; }
  bool contains(Point p) const { return p.x >= x && p.x < right() && p.y >= y && p.y < bottom(); }
  friend bool operator==(const Rect&, const Rect&) = default;
};

inline Rect intersection(const Rect& a, const Rect& b) {
  const int x = std::max(a.x, b.x);
  const int y = std::max(a.y, b.y);
  return {x, y, std::max(0, std::min(a.right(), b.right()) - x), std::max(0, std::min(a.bottom(), b.bottom()) - y)};
}

// Smallest rectangle that contains both. Empty rectangles are ignored.
inline Rect bounding(const Rect& a, const Rect& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  const int x = std::min(a.x, b.x);
  const int y = std::min(a.y, b.y);
  return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

}  // namespace da
