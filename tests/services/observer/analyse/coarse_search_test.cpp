#include "services/observer/analyse/templates/coarse_search.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/services/observer/analyse/pictures.h"

namespace da::observer {
namespace {

constexpr double kLeast = 0.5;
constexpr auto kAll = std::numeric_limits<std::size_t>::max();

std::vector<CoarsePlace> places(const cv::Mat& picture, const CoarseTemplate& wanted, double least) {
  ImagePyramid pyramid(view_of(picture));
  auto found = coarse_places(pyramid.level(wanted.halvings), wanted, least, kAll, 0);
  std::erase_if(found, [](const CoarsePlace& place) { return place.score <= kLeast; });
  return found;
}

// A least score of -1 lets every phase be compared at every place.
TEST(CoarseSearch, PhasesThatAreLeftOutHideNoPlaceAboveTheLeastScore) {
  std::size_t compared = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const cv::Mat picture =
        any_picture(random, {number(random, 200, 420), number(random, 150, 300)}, number(random, 0, 2));
    const cv::Size size(number(random, 16, 90), number(random, 16, 60));
    const cv::Mat part = picture(
        cv::Rect({number(random, 0, picture.cols - size.width), number(random, 0, picture.rows - size.height)}, size));
    const cv::Mat wanted = seed % 3 == 0 ? any_picture(random, size, number(random, 0, 2)) : part.clone();
    const TemplatePixels pixels = template_pixels(image_of(wanted), MaskBy::kNothing, 1);
    if (has_one_colour(pixels)) continue;
    const CoarseTemplate coarse = coarse_template(pixels);
    const auto some = places(picture, coarse, kLeast);
    const auto all = places(picture, coarse, -1);
    ASSERT_EQ(some.size(), all.size()) << "seed " << seed;
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(some[i].score, all[i].score) << "seed " << seed;
    compared += all.size();
  }
  EXPECT_GT(compared, 300u);
}

}  // namespace
}  // namespace da::observer
