// Converts rectangles and points from and to protobuf, and limits a peer's numbers. Pure; any thread.
#pragma once

#include "da/v1/observation.pb.h"
#include "lib/base/geometry.h"

namespace da::observer {

// Edges beyond +-2^24 pixels are clipped, so that sums of them fit in an int.
Rect rect_from_wire(const v1::Rect& rect);
v1::Rect rect_to_wire(const Rect& rect);
Point point_from_wire(const v1::Point& point);

}  // namespace da::observer
