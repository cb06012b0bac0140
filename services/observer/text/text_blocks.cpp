#include "services/observer/text/text_blocks.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <opencv2/imgproc.hpp>
#include <utility>
#include <vector>

#include "services/observer/text/dotted_lines.h"

namespace da::observer {
namespace {

constexpr int kSameBgr = 4;          // Levels between neighbours in one region; gradients differ less.
constexpr int kLeastRegion = 150;    // Pixels of a region on which text can stand.
constexpr int kLargestLetter = 64;   // Width and height.
constexpr double kLetterFill = 0.7;  // A letter fills less of its bounds, if it is no thin stroke; a button fills more.
constexpr int kWidestStroke = 9;     // Stroke width of the largest letters.
constexpr int kLeastRuleLength = 30;  // A thin line that is longer, and ten times its width, is no letter.
constexpr int kRuleRatio = 10;
constexpr int kLeastSideLength = 12;  // The side of a frame, whose corners are rounded by at most so much:
constexpr int kCornerRadius = 8;
constexpr int kLeastInkContrast = 22;  // Levels between ink and its surroundings.
constexpr int kPictureWidth = 160;     // Ink of this size and density is a picture.
constexpr int kPictureHeight = 48;
constexpr int kMiddleGrey = 128;

using Bgr = std::array<int, 3>;

int bgr_distance(const Bgr& a, const Bgr& b) {
  return std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])});
}

struct ColourRegion {
  int pixels = 0;
  int left = 0, top = 0, right = 0, bottom = 0;  // Inclusive.
  enum class Kind : std::uint8_t { kInk, kGround, kRule } kind = Kind::kInk;

  int width() const { return right - left + 1; }
  int height() const { return bottom - top + 1; }
};

// The connected regions of nearly the same colour, by pixel.
class ColourRegions {
 public:
  explicit ColourRegions(const cv::Mat& bgra) : bgra_(bgra), labels_(bgra.total()) {
    join();
    measure();
  }

  const std::vector<ColourRegion>& all() const { return regions_; }
  std::uint32_t at(int x, int y) const { return labels_[index(x, y)]; }
  ColourRegion::Kind kind(int x, int y) const { return regions_[at(x, y)].kind; }
  Bgr colour(int x, int y) const {
    const std::uint8_t* pixel = bgra_.ptr(y) + 4 * x;
    return {pixel[0], pixel[1], pixel[2]};
  }

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(bgra_.cols) + static_cast<std::size_t>(x);
  }

  std::uint32_t root(std::uint32_t label) {
    while (labels_[label] != label) label = labels_[label] = labels_[labels_[label]];
    return label;
  }

  // Union-find: the root of a region is its smallest index.
  void join() {
    for (int y = 0; y < bgra_.rows; ++y) {
      for (int x = 0; x < bgra_.cols; ++x) {
        const auto here = static_cast<std::uint32_t>(index(x, y));
        labels_[here] = here;
        const Bgr own = colour(x, y);
        if (x > 0 && bgr_distance(own, colour(x - 1, y)) <= kSameBgr) labels_[here] = root(here - 1);
        if (y == 0 || bgr_distance(own, colour(x, y - 1)) > kSameBgr) continue;
        const std::uint32_t above = root(here - static_cast<std::uint32_t>(bgra_.cols));
        const std::uint32_t left = labels_[here];
        labels_[std::max(above, left)] = std::min(above, left);
        labels_[here] = std::min(above, left);
      }
    }
  }

  void measure() {
    std::vector<std::uint32_t> number(labels_.size());
    for (int y = 0; y < bgra_.rows; ++y) {
      for (int x = 0; x < bgra_.cols; ++x) {
        const auto here = static_cast<std::uint32_t>(index(x, y));
        const std::uint32_t top = root(here);
        if (top == here) {
          number[here] = static_cast<std::uint32_t>(regions_.size());
          regions_.push_back({0, x, y, x, y});
        }
        const std::uint32_t own = number[top];
        number[here] = own;
        ColourRegion& region = regions_[own];
        ++region.pixels;
        region.left = std::min(region.left, x);
        region.right = std::max(region.right, x);
        region.bottom = y;
      }
    }
    labels_ = std::move(number);
    const int least = std::min(kLeastRegion, static_cast<int>(bgra_.total() / 4));
    for (ColourRegion& region : regions_) region.kind = kind_of(region, least);
    for (ColourRegion& region : regions_) {
      if (is_side_of_frame(region)) region.kind = ColourRegion::Kind::kRule;
    }
  }

  // Whether the region is an upright line with a corner at both of its ends. The side of a button is as long as a large
  // "l", which has no corners.
  bool is_side_of_frame(const ColourRegion& region) const {
    if (region.kind != ColourRegion::Kind::kInk || region.width() > 2 || region.height() < kLeastSideLength)
      return false;
    return has_corner(region.left, region.top) && has_corner(region.left, region.bottom);
  }

  // Whether a level rule begins or ends near this place.
  bool has_corner(int x, int y) const {
    for (int py = std::max(0, y - kCornerRadius); py <= std::min(bgra_.rows - 1, y + kCornerRadius); ++py) {
      for (int px = std::max(0, x - kCornerRadius); px <= std::min(bgra_.cols - 1, x + kCornerRadius); ++px) {
        const ColourRegion& rule = regions_[at(px, py)];
        if (rule.kind != ColourRegion::Kind::kRule || rule.width() <= rule.height()) continue;
        if (std::abs(rule.left - x) <= kCornerRadius || std::abs(rule.right - x) <= kCornerRadius) return true;
      }
    }
    return false;
  }

  static ColourRegion::Kind kind_of(const ColourRegion& region, int least) {
    const int thin = std::min(region.width(), region.height());
    const int length = std::max(region.width(), region.height());
    if (thin <= kWidestStroke) {
      const bool is_rule = length > kLargestLetter || (length >= kLeastRuleLength && length >= kRuleRatio * thin);
      return is_rule ? ColourRegion::Kind::kRule : ColourRegion::Kind::kInk;
    }
    if (region.pixels < least) return ColourRegion::Kind::kInk;
    const bool small = region.width() <= kLargestLetter && region.height() <= kLargestLetter;
    const bool open = region.pixels < kLetterFill * region.width() * region.height();
    if (small && open) return ColourRegion::Kind::kInk;
    // The frame of a field, in one colour.
    const bool frame = region.pixels < 4 * (region.width() + region.height());
    return frame && !small ? ColourRegion::Kind::kRule : ColourRegion::Kind::kGround;
  }

  const cv::Mat& bgra_;
  std::vector<std::uint32_t> labels_;
  std::vector<ColourRegion> regions_;
};

// What one connected piece of ink stands on.
struct TextGround {
  std::map<std::uint32_t, int> touching;  // Pixels of neighbouring regions, by region.
  std::map<std::uint32_t, std::array<std::int64_t, 3>> colours;

  void add(std::uint32_t region, const Bgr& colour) {
    ++touching[region];
    auto& sum = colours[region];
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += colour[i];
  }

  std::uint32_t most() const {
    return std::ranges::max_element(touching, {}, &std::pair<const std::uint32_t, int>::second)->first;
  }

  Bgr colour_of(std::uint32_t region) const {
    const auto& sum = colours.at(region);
    const int count = touching.at(region);
    return {static_cast<int>(sum[0] / count), static_cast<int>(sum[1] / count), static_cast<int>(sum[2] / count)};
  }

  // Whether a large part touches a region of another colour: an edge or a corner, no letter.
  bool is_edge(const Bgr& own) const {
    int all = 0;
    int other = 0;
    for (const auto& [region, count] : touching) {
      all += count;
      if (bgr_distance(colour_of(region), own) >= kLeastInkContrast) other += count;
    }
    return 10 * other >= 3 * all;
  }
};

class InkDrawing {
 public:
  explicit InkDrawing(const cv::Mat& bgra)
      : regions_(bgra), bgra_(bgra), drawn_(bgra.size(), CV_8UC1, cv::Scalar(255)) {}

  cv::Mat draw() {
    cv::Mat ink(bgra_.size(), CV_8UC1);
    for (int y = 0; y < bgra_.rows; ++y) {
      std::uint8_t* row = ink.ptr(y);
      for (int x = 0; x < bgra_.cols; ++x) row[x] = regions_.kind(x, y) == ColourRegion::Kind::kInk ? 255 : 0;
    }
    cv::Mat centers;
    pieces_ = cv::connectedComponentsWithStats(ink, labels_, stats_, centers, 8, CV_32S);
    find_grounds();
    find_contrast();
    leave_out_dotted_lines();
    fill();
    return std::move(drawn_);
  }

 private:
  void find_grounds() {
    grounds_.resize(static_cast<std::size_t>(pieces_));
    constexpr std::pair<int, int> kAround[]{{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    for (int y = 0; y < bgra_.rows; ++y) {
      const auto* row = labels_.ptr<std::int32_t>(y);
      for (int x = 0; x < bgra_.cols; ++x) {
        if (row[x] == 0) continue;
        for (const auto& [dx, dy] : kAround) {
          const int px = x + dx;
          const int py = y + dy;
          if (px < 0 || py < 0 || px >= bgra_.cols || py >= bgra_.rows) continue;
          if (regions_.kind(px, py) != ColourRegion::Kind::kGround) continue;
          grounds_[static_cast<std::size_t>(row[x])].add(regions_.at(px, py), regions_.colour(px, py));
        }
      }
    }
  }

  bool is_picture(int piece) const {
    const int width = stats_.at<int>(piece, cv::CC_STAT_WIDTH);
    const int height = stats_.at<int>(piece, cv::CC_STAT_HEIGHT);
    return width >= kPictureWidth && height >= kPictureHeight &&
           3 * stats_.at<int>(piece, cv::CC_STAT_AREA) >= width * height;
  }

  void find_contrast() {
    looks_.resize(grounds_.size());
    for (std::size_t i = 1; i < grounds_.size(); ++i) {
      Look& look = looks_[i];
      if (is_picture(static_cast<int>(i))) {
        look.kind = Look::Kind::kPicture;
      } else if (!grounds_[i].touching.empty()) {
        look.ground = grounds_[i].colour_of(grounds_[i].most());
        look.kind = grounds_[i].is_edge(look.ground) ? Look::Kind::kNothing : Look::Kind::kInk;
      }
    }
    for (int y = 0; y < bgra_.rows; ++y) {
      const auto* row = labels_.ptr<std::int32_t>(y);
      for (int x = 0; x < bgra_.cols; ++x) {
        Look& look = looks_[static_cast<std::size_t>(row[x])];
        const Bgr colour = regions_.colour(x, y);
        if (look.kind == Look::Kind::kInk) look.contrast = std::max(look.contrast, bgr_distance(colour, look.ground));
        if (look.kind != Look::Kind::kPicture) continue;
        ++look.pixels;
        look.grey += grey(colour);
      }
    }
  }

  // Tesseract would take the text in a dotted frame for a part of a picture.
  void leave_out_dotted_lines() {
    std::vector<cv::Rect> bounds;
    for (int i = 0; i < pieces_; ++i) {
      bounds.emplace_back(stats_.at<int>(i, cv::CC_STAT_LEFT), stats_.at<int>(i, cv::CC_STAT_TOP),
                          stats_.at<int>(i, cv::CC_STAT_WIDTH), stats_.at<int>(i, cv::CC_STAT_HEIGHT));
    }
    for (const std::size_t piece : pieces_of_dotted_lines(bounds)) looks_[piece].kind = Look::Kind::kNothing;
  }

  void fill() {
    for (int y = 0; y < bgra_.rows; ++y) {
      const auto* row = labels_.ptr<std::int32_t>(y);
      std::uint8_t* out = drawn_.ptr(y);
      for (int x = 0; x < bgra_.cols; ++x) {
        const Look& look = looks_[static_cast<std::size_t>(row[x])];
        const Bgr colour = regions_.colour(x, y);
        if (look.kind == Look::Kind::kPicture) {
          const bool dark = look.grey < std::int64_t{kMiddleGrey} * look.pixels;
          out[x] = static_cast<std::uint8_t>(dark ? 255 - grey(colour) : grey(colour));
        } else if (look.kind == Look::Kind::kInk && look.contrast >= kLeastInkContrast) {
          out[x] = static_cast<std::uint8_t>(255 - 255 * bgr_distance(colour, look.ground) / look.contrast);
        }
      }
    }
  }

  static int grey(const Bgr& colour) { return (29 * colour[0] + 150 * colour[1] + 77 * colour[2]) / 256; }

  struct Look {
    enum class Kind : std::uint8_t { kNothing, kInk, kPicture } kind = Kind::kNothing;
    Bgr ground{};
    int contrast = 0;
    std::int64_t pixels = 0;  // Pixels of a picture, with the sum of its grey.
    std::int64_t grey = 0;
  };

  const ColourRegions regions_;
  const cv::Mat& bgra_;
  cv::Mat drawn_;
  cv::Mat labels_;  // The number of the piece of ink of each pixel; 0: none.
  cv::Mat stats_;
  int pieces_ = 0;
  std::vector<TextGround> grounds_;  // Indexed by piece.
  std::vector<Look> looks_;
};

}  // namespace

cv::Mat black_on_white(const cv::Mat& bgra) { return InkDrawing(bgra).draw(); }

}  // namespace da::observer
