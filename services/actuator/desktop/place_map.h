// Converts the coordinates that an application or system reports to desktop pixels, where a screen is scaled. Pure; any
// thread.
#pragma once

#include "lib/base/geometry.h"

namespace da::actuator {

struct PlaceMap {
  double dx = 0;  // The desktop's place of the reported 0,0.
  double dy = 0;
  double scale = 1;  // Desktop pixels per reported pixel.

  // Rounded outwards, so that a mask covers all of it.
  Rect to_desktop(const Rect& reported) const;
  Point to_reported(Point desktop) const;
  // Returns the map for coordinates that are reported too far left and up by `by`.
  PlaceMap displaced(Point by) const { return {dx + scale * by.x, dy + scale * by.y, scale}; }
  friend bool operator==(const PlaceMap&, const PlaceMap&) = default;
};

// Maps the origin of `reported` to the origin of `pixels`.
PlaceMap anchored(const Rect& reported, const Rect& pixels, double scale);

}  // namespace da::actuator
