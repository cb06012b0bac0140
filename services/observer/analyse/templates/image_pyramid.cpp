#include "services/observer/analyse/templates/image_pyramid.h"

#include <opencv2/imgproc.hpp>

#include "services/observer/image/mat.h"

namespace da::observer {

frames::PixelView ImagePyramid::level(int halvings) {
  if (halvings == 0) return region_;
  const auto wanted = static_cast<std::size_t>(halvings);
  while (levels_.size() < wanted) {
    const frames::PixelView before = level(static_cast<int>(levels_.size()));
    Level half{{}, before.width / 2, before.height / 2};
    if (half.width > 0 && half.height > 0) {
      half.pixels.resize(static_cast<std::size_t>(half.width) * static_cast<std::size_t>(half.height) * 4);
      cv::Mat to(half.height, half.width, CV_8UC4, half.pixels.data());
      cv::resize(mat_of(before.part({0, 0, half.width * 2, half.height * 2})), to, to.size(), 0, 0, cv::INTER_AREA);
    }
    levels_.push_back(std::move(half));
  }
  const Level& level = levels_[wanted - 1];
  return {level.pixels.data(), level.width, level.height, static_cast<std::size_t>(level.width) * 4};
}

}  // namespace da::observer
