// Makes an image small enough for whoever looks at it. Pure functions; any thread. OpenCV stays behind this header.
#pragma once

#include <cstdint>
#include <vector>

#include "da/v1/observer_rpc.pb.h"
#include "services/observer/canvas.h"
#include "services/observer/frame_store.h"

namespace da::observer {

struct Size {
  int width = 0;
  int height = 0;
  bool operator==(const Size&) const = default;
};

// The largest size of the same proportions within the limits; never larger than the original, never empty.
Size fit(Size original, const v1::ImageLimits& limits);

// Each pixel of the result is the mean of what it stands for. The pixels lie in `buffer`, which is used again from call
// to call.
PixelView scale_down(const PixelView& frame, Size size, std::vector<std::uint8_t>& buffer);

// A part of a frame, enlarged by whole numbers up to 4 while it stays within the limits and 1024 pixels, or made
// smaller where it is larger than the limits.
void enlarge(const PixelView& part, const v1::ImageLimits& limits, Canvas& canvas);

}  // namespace da::observer
