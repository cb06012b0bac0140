// Numbers of a peer, checked on their way in. Pure; any thread.
#pragma once

#include "da/v1/observation.pb.h"
#include "lib/base/geometry.h"

namespace da::observer {

// A rectangle whose edges fit in int whatever the peer wrote: what is beyond +-2^24 pixels is cut off.
Rect rect_from_wire(const v1::Rect& rect);
v1::Rect rect_to_wire(const Rect& rect);
Point point_from_wire(const v1::Point& point);

}  // namespace da::observer
