#include "services/observer/analyse/template_search.h"

#include <gtest/gtest.h>

#include "services/observer/analyse/correlation.h"
#include "tests/services/observer/analyse/pictures.h"

namespace da::observer {
namespace {

TemplateFindings find(const cv::Mat& picture, const DecodedImage& wanted, const TemplateWish& wish = {}) {
  ImagePyramid pyramid(view_of(picture));
  return find_template(view_of(picture), pyramid, wanted, wish, {});
}

cv::Mat opencv_scores(const cv::Mat& picture, const cv::Mat& wanted) {
  cv::Mat scores;
  cv::matchTemplate(bgr(picture), bgr(wanted), scores, cv::TM_CCOEFF_NORMED);
  return scores;
}

double best_of(const cv::Mat& scores) {
  double best = 0;
  cv::minMaxLoc(scores, nullptr, &best);
  return best;
}

bool has_contrast(const cv::Mat& wanted) {
  cv::Scalar mean, deviation;
  cv::meanStdDev(bgr(wanted), mean, deviation);
  return deviation[0] + deviation[1] + deviation[2] > 6;
}

// A part of the picture with contrast.
cv::Rect any_part(Random& random, const cv::Mat& picture) {
  for (;;) {
    const cv::Size size(number(random, 12, 90), number(random, 12, 60));
    const cv::Rect part({number(random, 0, picture.cols - size.width), number(random, 0, picture.rows - size.height)},
                        size);
    if (has_contrast(picture(part))) return part;
  }
}

// Brightness, contrast and noise, as another rendering of the same part has them.
cv::Mat altered(Random& random, const cv::Mat& part) {
  cv::Mat result = part.clone();
  const double contrast = 0.7 + 0.5 * number(random, 0, 100) / 100;
  const int brightness = number(random, -25, 25);
  const int noise = number(random, 0, 12);
  for (auto& pixel : cv::Mat_<cv::Vec4b>(result)) {
    for (int c = 0; c < 3; ++c) {
      pixel[c] = cv::saturate_cast<std::uint8_t>((pixel[c] - 128) * contrast + 128 + brightness +
                                                 number(random, -noise, noise));
    }
  }
  return result;
}

// Where OpenCV's best place reaches the least confidence, ours is the same one, or one with the same score.
TEST(TemplateSearch, FindsTheBestPlaceOfOpenCvIn500Pictures) {
  constexpr double kTolerance = 1e-3;  // OpenCV sums in single precision.
  int compared = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    Random random(seed);
    const cv::Mat picture =
        any_picture(random, {number(random, 200, 420), number(random, 150, 300)}, static_cast<int>(seed));
    const cv::Rect part = any_part(random, picture);
    const cv::Mat wanted = seed % 4 == 0 ? picture(part).clone() : altered(random, picture(part));
    const cv::Mat scores = opencv_scores(picture, wanted);
    const double best = best_of(scores);
    const TemplateWish wish{.min_confidence = 0.7};
    const TemplateFindings found = find(picture, image_of(wanted), wish);
    if (best < wish.min_confidence + kTolerance) continue;
    ++compared;
    ASSERT_FALSE(found.matches.empty()) << "seed " << seed << ", OpenCV has " << best;
    const FoundTemplate& ours = found.matches.front();
    EXPECT_NEAR(ours.confidence, best, kTolerance) << "seed " << seed;
    EXPECT_NEAR(scores.at<float>(ours.area.y, ours.area.x), best, kTolerance) << "seed " << seed;
  }
  EXPECT_GT(compared, 400);
}

}  // namespace
}  // namespace da::observer
