// How well rectangles match. Pure; any thread.
#pragma once

#include "lib/base/geometry.h"

namespace da {

// The area that both have, as a part of the area that at least one has (intersection over union): 0 to 1.
inline double fit(const Rect& a, const Rect& b) {
  const std::int64_t shared = intersection(a, b).area();
  const std::int64_t either = a.area() + b.area() - shared;
  return either == 0 ? 0 : static_cast<double>(shared) / static_cast<double>(either);
}

}  // namespace da
