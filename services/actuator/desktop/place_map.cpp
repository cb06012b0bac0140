#include "services/actuator/desktop/place_map.h"

#include <cmath>

namespace da::actuator {
namespace {

// Computed edges that are within this of a whole pixel are on it.
constexpr double kRounding = 1e-6;

int first_pixel(double edge) { return static_cast<int>(std::floor(edge + kRounding)); }
int last_pixel(double edge) { return static_cast<int>(std::ceil(edge - kRounding)); }

}  // namespace

Rect PlaceMap::to_desktop(const Rect& reported) const {
  const int x = first_pixel(dx + scale * reported.x);
  const int y = first_pixel(dy + scale * reported.y);
  return {x, y, last_pixel(dx + scale * reported.right()) - x, last_pixel(dy + scale * reported.bottom()) - y};
}

Point PlaceMap::to_reported(Point desktop) const {
  constexpr double kMiddle = 0.5;
  return {first_pixel((desktop.x + kMiddle - dx) / scale), first_pixel((desktop.y + kMiddle - dy) / scale)};
}

PlaceMap anchored(const Rect& reported, const Rect& pixels, double scale) {
  return {pixels.x - scale * reported.x, pixels.y - scale * reported.y, scale};
}

}  // namespace da::actuator
