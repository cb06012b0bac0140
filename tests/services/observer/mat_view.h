// Views an OpenCV image with BGRX pixels as a frame.
#pragma once

#include <opencv2/core.hpp>

#include "lib/frames/tile_grid.h"

namespace da::observer {

inline frames::PixelView view_of(const cv::Mat& image) { return {image.data, image.cols, image.rows, image.step}; }

}  // namespace da::observer
