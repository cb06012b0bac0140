// Views of pixels as OpenCV matrices, without a copy. For sources only: no other header includes OpenCV. Pure.
#pragma once

#include <opencv2/core.hpp>

#include "lib/frames/tile_grid.h"
#include "services/observer/image/canvas.h"

namespace da::observer {

// RGB.
inline cv::Mat mat_of(Canvas& canvas) {
  return cv::Mat(canvas.height(), canvas.width(), CV_8UC3, canvas.pixel(0, 0), canvas.stride());
}

// BGRX. Only for reading: OpenCV has no view of constant pixels.
inline cv::Mat mat_of(const frames::PixelView& view) {
  return cv::Mat(view.height, view.width, CV_8UC4, const_cast<std::uint8_t*>(view.data), view.stride);
}

}  // namespace da::observer
