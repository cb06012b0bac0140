// Fits images to a model's limits. Pure; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "da/v1/observer_rpc.pb.h"
#include "services/observer/frames/frame_store.h"
#include "services/observer/image/canvas.h"

namespace da::observer {

struct Size {
  int width = 0;
  int height = 0;
  bool operator==(const Size&) const = default;
};

// The largest size with the same aspect ratio within the limits; at most the original size, at least 1x1.
Size fit(Size original, const v1::ImageLimits& limits);

// Each pixel is the mean of the pixels that it covers. The result points into `buffer`, whose memory is reused.
frames::PixelView scale_down(const frames::PixelView& frame, Size size, std::vector<std::uint8_t>& buffer);

// Enlarges a part of a frame by a whole factor up to 4 within the limits and 1024 pixels, or shrinks it to the limits.
void enlarge(const frames::PixelView& part, const v1::ImageLimits& limits, Canvas& canvas);

}  // namespace da::observer
