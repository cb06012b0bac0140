// Colours on a canvas. Pure; one thread per canvas.
#pragma once

#include <array>

#include "lib/base/geometry.h"
#include "services/observer/image/canvas.h"

namespace da::observer {

using Colour = std::array<int, 3>;  // Red, green, blue.

// `alpha` is 0..256.
inline void blend(std::uint8_t* pixel, const Colour& colour, int alpha) {
  for (std::size_t c = 0; c < 3; ++c) {
    pixel[c] = static_cast<std::uint8_t>(pixel[c] + ((colour[c] - pixel[c]) * alpha + 128) / 256);
  }
}

// Clipped to the canvas.
inline void blend_area(Canvas& canvas, const Rect& wanted, const Colour& colour, int alpha) {
  const Rect area = intersection(wanted, {0, 0, canvas.width(), canvas.height()});
  for (int y = area.y; y < area.bottom(); ++y) {
    for (int x = area.x; x < area.right(); ++x) blend(canvas.pixel(x, y), colour, alpha);
  }
}

inline void fill_area(Canvas& canvas, const Rect& area, const Colour& colour) { blend_area(canvas, area, colour, 256); }

}  // namespace da::observer
