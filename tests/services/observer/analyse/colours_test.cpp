#include "services/observer/analyse/colours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tests/services/observer/analyse/pictures.h"

namespace da::observer {
namespace {

cv::Mat samples_of(const cv::Mat& picture) {
  cv::Mat samples;
  bgr(picture).reshape(1, static_cast<int>(picture.total())).convertTo(samples, CV_32F);
  return samples;
}

// The mean squared distance of the pixels from their nearest colour.
double spread(const cv::Mat& picture, const std::vector<DominantColour>& colours) {
  double sum = 0;
  for (const auto& pixel : cv::Mat_<cv::Vec4b>(picture)) {
    double nearest = 1e9;
    for (const auto& [colour, share] : colours) {
      const double blue = pixel[0] - colour.blue, green = pixel[1] - colour.green, red = pixel[2] - colour.red;
      nearest = std::min(nearest, blue * blue + green * green + red * red);
    }
    sum += nearest;
  }
  return sum / static_cast<double>(picture.total());
}

// OpenCV's k-means of the same pixels, as colours.
std::vector<DominantColour> colours_by_opencv(const cv::Mat& picture, int clusters) {
  cv::theRNG().state = 1;
  cv::Mat labels, centers;
  cv::kmeans(samples_of(picture), clusters, labels, {cv::TermCriteria::COUNT | cv::TermCriteria::EPS, 60, 0.01}, 6,
             cv::KMEANS_PP_CENTERS, centers);
  std::vector<DominantColour> colours;
  const auto rounded = [&](int row, int channel) {
    return static_cast<std::uint8_t>(std::lround(centers.at<float>(row, channel)));
  };
  for (int i = 0; i < centers.rows; ++i) {
    colours.push_back({{rounded(i, 2), rounded(i, 1), rounded(i, 0)},
                       cv::countNonZero(labels == i) / static_cast<double>(picture.total())});
  }
  std::ranges::sort(colours, std::greater<>(), &DominantColour::share);
  return colours;
}

// Areas of clearly different colours with noise, so that there is one right answer.
cv::Mat clustered_picture(Random& random, int clusters) {
  static const std::array<cv::Vec3b, 6> colours{
      {{30, 30, 30}, {230, 230, 230}, {40, 40, 220}, {40, 200, 40}, {220, 60, 30}, {200, 30, 200}}};
  cv::Mat picture(60, 80, CV_8UC4);
  int row = 0;
  for (int i = 0; i < clusters; ++i) {
    const int end = i + 1 == clusters ? picture.rows : row + 4 + 3 * i;  // Shares that differ.
    for (; row < end; ++row) {
      for (int x = 0; x < picture.cols; ++x) {
        auto& pixel = picture.at<cv::Vec4b>(row, x);
        for (int c = 0; c < 3; ++c) {
          pixel[c] = cv::saturate_cast<std::uint8_t>(colours[static_cast<std::size_t>(i)][c] + number(random, -12, 12));
        }
        pixel[3] = 0;
      }
    }
  }
  return picture;
}

TEST(Colours, PixelIsReadAsRedGreenBlue) {
  cv::Mat picture(2, 2, CV_8UC4, cv::Scalar(1, 2, 3, 0));
  picture.at<cv::Vec4b>(1, 0) = {10, 20, 30, 0};
  EXPECT_EQ(colour_at(view_of(picture), {0, 1}), (Colour{30, 20, 10}));
}

TEST(Colours, AverageEqualsOpenCvsMean) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const cv::Mat picture =
        any_picture(random, {number(random, 30, 200), number(random, 30, 200)}, static_cast<int>(seed));
    const cv::Scalar mean = cv::mean(picture);
    const Colour ours = average_colour(view_of(picture));
    EXPECT_NEAR(ours.blue, mean[0], 0.5001);
    EXPECT_NEAR(ours.green, mean[1], 0.5001);
    EXPECT_NEAR(ours.red, mean[2], 0.5001);
  }
}

TEST(Colours, ClustersEqualOpenCvsWhereTheyAreClear) {
  for (unsigned seed = 0; seed < 250; ++seed) {
    Random random(seed);
    const int clusters = number(random, 2, 5);
    const cv::Mat picture = clustered_picture(random, clusters);
    const auto ours = dominant_colours(view_of(picture), clusters);
    const auto theirs = colours_by_opencv(picture, clusters);
    ASSERT_EQ(ours.size(), theirs.size()) << "seed " << seed;
    if (spread(picture, theirs) > 3.0 * 12 * 12) continue;  // OpenCV's own attempts found a worse answer.
    for (std::size_t i = 0; i < ours.size(); ++i) {
      EXPECT_NEAR(ours[i].share, theirs[i].share, 0.005) << "seed " << seed;
      EXPECT_NEAR(ours[i].colour.red, theirs[i].colour.red, 2) << "seed " << seed;
      EXPECT_NEAR(ours[i].colour.green, theirs[i].colour.green, 2) << "seed " << seed;
      EXPECT_NEAR(ours[i].colour.blue, theirs[i].colour.blue, 2) << "seed " << seed;
    }
  }
}

// k-means has many answers without clear clusters: ours are as close to the pixels as OpenCV's. Both may miss the best
// one.
TEST(Colours, ClustersOfAnyPictureAreAsCloseAsOpenCvs) {
  int worse = 0;
  int better = 0;
  for (unsigned seed = 0; seed < 250; ++seed) {
    Random random(seed);
    const cv::Mat picture =
        any_picture(random, {number(random, 40, 120), number(random, 40, 90)}, static_cast<int>(seed));
    const int clusters = number(random, 2, 6);
    const double ours = spread(picture, dominant_colours(view_of(picture), clusters));
    const double theirs = spread(picture, colours_by_opencv(picture, clusters));
    EXPECT_LE(ours, theirs * 1.2 + 2) << "seed " << seed << ", " << clusters << " clusters";
    worse += ours > theirs * 1.05 + 2 ? 1 : 0;
    better += theirs > ours * 1.05 + 2 ? 1 : 0;
  }
  EXPECT_LE(worse, 5) << "OpenCV's were worse " << better << " times";
}

TEST(Colours, EqualPicturesGiveEqualClusters) {
  Random random(3);
  const cv::Mat picture = photo_picture(random, {200, 150}, 30);
  const auto once = dominant_colours(view_of(picture), 5);
  const auto again = dominant_colours(view_of(picture.clone()), 5);
  ASSERT_EQ(once.size(), again.size());
  for (std::size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(once[i].colour, again[i].colour);
    EXPECT_EQ(once[i].share, again[i].share);
  }
}

TEST(Colours, FewColoursGiveFewClustersWithTheirExactShares) {
  cv::Mat picture(10, 10, CV_8UC4, cv::Scalar(255, 255, 255, 0));
  picture(cv::Rect(0, 0, 10, 3)).setTo(cv::Scalar(254, 255, 255, 0));
  const auto colours = dominant_colours(view_of(picture), 8);
  ASSERT_EQ(colours.size(), 2u);
  EXPECT_EQ(colours[0].colour, (Colour{255, 255, 255}));
  EXPECT_DOUBLE_EQ(colours[0].share, 0.7);
  EXPECT_EQ(colours[1].colour, (Colour{255, 255, 254}));
}

}  // namespace
}  // namespace da::observer
