#include "services/observer/analyse/templates/template_search.h"

#include <gtest/gtest.h>

#include "services/observer/analyse/templates/correlation.h"
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

// Copies of one part on a background without it; the second one may be slightly different.
TEST(TemplateSearch, TellsThat50AmbiguousTemplatesAreAmbiguous) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    Random random(seed);
    cv::Mat picture = any_picture(random, {400, 300}, static_cast<int>(seed));
    cv::Mat wanted;
    do {
      wanted = desktop_picture(random, {number(random, 24, 60), number(random, 20, 50)});
    } while (!has_contrast(wanted));
    const cv::Rect first({number(random, 0, 100), number(random, 0, 240)}, wanted.size());
    const cv::Rect second({number(random, 200, 330), number(random, 0, 240)}, wanted.size());
    wanted.copyTo(picture(first));
    wanted.copyTo(picture(second));
    if (seed % 2 == 1) picture.at<cv::Vec4b>(second.y + 3, second.x + 3)[1] ^= 32;
    const TemplateFindings found = find(picture, image_of(wanted));
    EXPECT_TRUE(found.ambiguous) << "seed " << seed;
    EXPECT_GE(found.matches.size(), 2u) << "seed " << seed;
  }
}

TEST(TemplateSearch, OnePlaceIsNotAmbiguous) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    Random random(seed);
    const cv::Mat picture = photo_picture(random, {400, 300}, 20);
    const cv::Rect part({number(random, 0, 340), number(random, 0, 240)}, cv::Size(60, 50));
    const TemplateFindings found = find(picture, image_of(picture(part)));
    ASSERT_EQ(found.matches.size(), 1u) << "seed " << seed;
    EXPECT_FALSE(found.ambiguous);
    EXPECT_EQ(found.matches[0].area, (Rect{part.x, part.y, 60, 50}));
    EXPECT_TRUE(found.matches[0].exact);
    EXPECT_EQ(found.matches[0].confidence, 1);
  }
}

// The correlation of a template with one altered pixel rounds to 1.
TEST(TemplateSearch, OneAlteredPixelIsNotExact) {
  Random random(4);
  cv::Mat picture = photo_picture(random, {300, 200}, 20);
  const DecodedImage wanted = image_of(picture(cv::Rect(100, 60, 64, 32)));
  picture.at<cv::Vec4b>(80, 120)[0] ^= 1;
  const TemplateFindings found = find(picture, wanted);
  ASSERT_EQ(found.matches.size(), 1u);
  EXPECT_GT(found.matches[0].confidence, 0.9999);
  EXPECT_FALSE(found.matches[0].exact);
  EXPECT_TRUE(find(picture, wanted, {.min_confidence = 1}).matches.empty());
}

TEST(TemplateSearch, ExactPlaceSufficesOnRequest) {
  Random random(8);
  cv::Mat picture = photo_picture(random, {300, 200}, 20);
  const cv::Mat wanted = picture(cv::Rect(10, 10, 40, 30)).clone();
  wanted.copyTo(picture(cv::Rect(200, 120, 40, 30)));
  picture.at<cv::Vec4b>(130, 210)[1] ^= 8;
  EXPECT_EQ(find(picture, image_of(wanted)).matches.size(), 2u);
  const TemplateFindings found = find(picture, image_of(wanted), {.stop = Stop::kAfterExact});
  ASSERT_EQ(found.matches.size(), 1u);
  EXPECT_EQ(found.matches[0].area.x, 10);
  EXPECT_FALSE(found.ambiguous);
}

TEST(TemplateSearch, FindsTemplatesAtTheEdgesOfTheRegion) {
  Random random(9);
  const cv::Mat picture = photo_picture(random, {301, 203}, 15);
  for (const cv::Point at :
       {cv::Point(0, 0), cv::Point(301 - 37, 0), cv::Point(0, 203 - 29), cv::Point(301 - 37, 203 - 29)}) {
    const cv::Rect part(at, cv::Size(37, 29));
    const TemplateFindings found = find(picture, image_of(altered(random, picture(part))));
    ASSERT_FALSE(found.matches.empty()) << at;
    EXPECT_EQ(found.matches[0].area, (Rect{at.x, at.y, 37, 29}));
  }
}

TEST(TemplateSearch, RegionAsLargeAsTheTemplateIsCompared) {
  Random random(10);
  const cv::Mat picture = photo_picture(random, {50, 40}, 15);
  EXPECT_EQ(find(picture, image_of(altered(random, picture))).matches.size(), 1u);
}

// Compares with the definition of the score, on every pixel: OpenCV 4.6 has the same formula for masks.
TEST(TemplateSearch, MaskedPixelsMayBeAnything) {
  int found_places = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    Random random(seed);
    cv::Mat picture = any_picture(random, {260, 200}, static_cast<int>(seed));
    const cv::Rect part({number(random, 0, 200), number(random, 0, 150)}, cv::Size(50, 40));
    if (!has_contrast(picture(part))) continue;
    const cv::Mat wanted = altered(random, picture(part));
    DecodedImage image = image_of(wanted);
    cv::Mat mask(wanted.size(), CV_8UC1, cv::Scalar(0));
    cv::ellipse(mask, cv::Point(25, 20), cv::Size(22, 17), 0, 0, 360, cv::Scalar(255), cv::FILLED);
    image.alpha.assign(mask.begin<std::uint8_t>(), mask.end<std::uint8_t>());
    // Other content outside of the ellipse, as behind an icon.
    photo_picture(random, part.size(), 60).copyTo(picture(part), 255 - mask);
    cv::Mat mask3;
    cv::cvtColor(mask / 255, mask3, cv::COLOR_GRAY2BGR);
    cv::Mat scores;
    cv::matchTemplate(bgr(picture), bgr(wanted), scores, cv::TM_CCOEFF_NORMED, mask3);
    cv::patchNaNs(scores, 0);
    const TemplateFindings found = find(picture, image, {.min_confidence = 0.7, .mask_by = MaskBy::kAlpha});
    const double here = scores.at<float>(part.y, part.x);
    if (here < 0.75) continue;
    ++found_places;
    ASSERT_FALSE(found.matches.empty()) << "seed " << seed << " OpenCV " << here;
    const FoundTemplate& ours = found.matches.front();
    EXPECT_GE(ours.confidence, here - 1e-3) << "seed " << seed;
    EXPECT_NEAR(scores.at<float>(ours.area.y, ours.area.x), ours.confidence, 2e-3) << "seed " << seed;
  }
  EXPECT_GT(found_places, 30);
}

TEST(TemplateSearch, ExactPlaceUnderAMaskIsExact) {
  Random random(12);
  cv::Mat picture = photo_picture(random, {200, 150}, 20);
  DecodedImage image = image_of(picture(cv::Rect(60, 40, 30, 20)));
  image.alpha.assign(600, 255);
  for (std::size_t i = 0; i < 90; ++i) image.alpha[i] = 0;  // Three rows.
  picture(cv::Rect(60, 40, 30, 3)).setTo(cv::Scalar(9, 9, 9, 0));
  const TemplateFindings found = find(picture, image, {.mask_by = MaskBy::kAlpha});
  ASSERT_FALSE(found.matches.empty());
  EXPECT_TRUE(found.matches[0].exact);
  EXPECT_EQ(found.matches[0].area.x, 60);
  for (const FoundTemplate& without_mask : find(picture, image).matches) EXPECT_FALSE(without_mask.exact);
}

TEST(TemplateSearch, FindsATemplateAtAnotherScaleOnRequest) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Random random(seed);
    cv::Mat picture = photo_picture(random, {400, 300}, 3);
    const cv::Mat wanted = photo_picture(random, {60, 48}, 3);
    cv::Mat larger;
    cv::resize(wanted, larger, {90, 72}, 0, 0, cv::INTER_CUBIC);
    larger.copyTo(picture(cv::Rect(150, 100, 90, 72)));
    const TemplateFindings found = find(picture, image_of(wanted), {.scales = {1, 1.25, 1.5}});
    ASSERT_FALSE(found.matches.empty()) << "seed " << seed;
    EXPECT_EQ(found.matches[0].area, (Rect{150, 100, 90, 72})) << "seed " << seed;
    EXPECT_EQ(found.matches[0].scale, 1.5);
  }
}

TEST(TemplateSearch, TemplateOfOneColourMatchesOnlyEqualPixels) {
  cv::Mat picture(100, 100, CV_8UC4, cv::Scalar(200, 200, 200, 0));
  const cv::Mat wanted(10, 10, CV_8UC4, cv::Scalar(10, 20, 30, 0));
  EXPECT_TRUE(find(picture, image_of(wanted)).matches.empty());
  picture(cv::Rect(40, 50, 10, 10)).setTo(cv::Scalar(10, 20, 30, 0));
  const TemplateFindings found = find(picture, image_of(wanted));
  ASSERT_EQ(found.matches.size(), 1u);
  EXPECT_EQ(found.matches[0].area, (Rect{40, 50, 10, 10}));
}

TEST(TemplateSearch, ColoursOfEqualBrightnessAreTold) {
  Random random(14);
  cv::Mat picture = photo_picture(random, {200, 150}, 2);
  cv::Mat wanted(24, 24, CV_8UC4, cv::Scalar(60, 60, 200, 0));
  cv::circle(wanted, {12, 12}, 7, cv::Scalar(60, 132, 58, 0), cv::FILLED);
  wanted.copyTo(picture(cv::Rect(33, 71, 24, 24)));
  const TemplateFindings found = find(picture, image_of(wanted));
  ASSERT_FALSE(found.matches.empty());
  EXPECT_EQ(found.matches[0].area.x, 33);
  EXPECT_FALSE(found.ambiguous);
}

TEST(TemplateSearch, MatchesAreLimitedAndSaySo) {
  cv::Mat picture(400, 400, CV_8UC4, cv::Scalar(200, 200, 200, 0));
  for (int y = 0; y < 400; y += 20) {
    for (int x = 0; x < 400; x += 20) picture(cv::Rect(x, y, 8, 8)).setTo(cv::Scalar(0, 0, 0, 0));
  }
  const TemplateFindings found = find(picture, image_of(picture(cv::Rect(0, 0, 20, 20))));
  EXPECT_EQ(found.matches.size(), kMostMatches);
  EXPECT_TRUE(found.more);
  EXPECT_TRUE(found.ambiguous);
}

TEST(TemplateSearch, BestPlaceIsToldEvenIfItIsNotGoodEnough) {
  Random random(15);
  const cv::Mat picture = photo_picture(random, {200, 150}, 20);
  const TemplateFindings found = find(picture, image_of(photo_picture(random, {40, 30}, 20)), {.min_confidence = 0.95});
  EXPECT_TRUE(found.matches.empty());
  ASSERT_TRUE(found.best);
  EXPECT_LT(found.best->confidence, 0.95);
}

}  // namespace
}  // namespace da::observer
