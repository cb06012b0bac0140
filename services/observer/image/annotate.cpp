#include "services/observer/image/annotate.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "services/observer/image/colour.h"
#include "services/observer/image/mat.h"

namespace da::observer {
namespace {

constexpr Colour kGridColour{0, 120, 255};
constexpr Colour kDark{16, 20, 28};
constexpr Colour kLight{255, 255, 255};
constexpr Colour kCursorColour{255, 40, 40};
constexpr int kMinorAlpha = 28;  // Alpha values are out of 256.
constexpr int kMajorAlpha = 84;
constexpr int kPlateAlpha = 150;
constexpr int kFont = cv::FONT_HERSHEY_SIMPLEX;
constexpr double kLabelScale = 0.34;
constexpr double kBannerScale = 0.5;
constexpr int kArm = 16;  // Pixels from the cursor to an end of the crosshair.
constexpr int kZoom = 4;
constexpr int kInsetSourceWidth = 72;  // Pixels around the cursor that the inset shows.
constexpr int kInsetSourceHeight = 54;
constexpr int kInsetMargin = 12;
constexpr int kInsetFrame = 2;     // Pixels around the inset.
constexpr int kBannerMargin = 34;  // Left and right; half of it above and below. Keeps the edge's labels readable.

cv::Scalar scalar(const Colour& colour) { return {double(colour[0]), double(colour[1]), double(colour[2])}; }

void draw_grid(Canvas& canvas) {
  for (int y = 0; y < canvas.height(); ++y) {
    if (y > 0 && y % kMinorGrid == 0) {
      blend_area(canvas, {0, y, canvas.width(), 1}, kGridColour, y % kMajorGrid == 0 ? kMajorAlpha : kMinorAlpha);
    }
    for (int x = kMinorGrid; x < canvas.width(); x += kMinorGrid) {
      blend(canvas.pixel(x, y), kGridColour, x % kMajorGrid == 0 ? kMajorAlpha : kMinorAlpha);
    }
  }
}

cv::Size text_size(const std::string& text, double scale) {
  int baseline = 0;
  return cv::getTextSize(text, kFont, scale, 1, &baseline);
}

Rect label_area(const std::string& text, Point at, double scale) {
  const cv::Size size = text_size(text, scale);
  return {at.x, at.y, size.width + 4, size.height + 5};
}

// Draws text on a dark translucent plate.
void draw_label(Canvas& canvas, const std::string& text, Point at, double scale, const Colour& colour) {
  blend_area(canvas, label_area(text, at, scale), kDark, kPlateAlpha);
  cv::Mat image = mat_of(canvas);
  cv::putText(image, text, {at.x + 2, at.y + text_size(text, scale).height + 2}, kFont, scale, scalar(colour), 1,
              cv::LINE_AA);
}

bool is_free(const Rect& area, std::span<const Rect> keep_clear) {
  return std::ranges::none_of(keep_clear, [&](const Rect& kept) { return !intersection(area, kept).empty(); });
}

// Along the upper and the left edge, and on large screens along the other two edges, too.
void draw_coordinates(Canvas& canvas, std::span<const Rect> keep_clear) {
  const auto draw = [&](int number, Point at) {
    const std::string text = std::to_string(number);
    if (is_free(label_area(text, at, kLabelScale), keep_clear)) draw_label(canvas, text, at, kLabelScale, kLight);
  };
  for (int x = kMajorGrid; x < canvas.width(); x += kMajorGrid) {
    draw(x, {x + 2, 0});
    if (canvas.height() > 2 * kMajorGrid) draw(x, {x + 2, canvas.height() - 13});
  }
  for (int y = kMajorGrid; y < canvas.height(); y += kMajorGrid) {
    draw(y, {0, y + 2});
    if (canvas.width() > 2 * kMajorGrid) draw(y, {canvas.width() - 27, y + 2});
  }
}

void draw_arms(Canvas& canvas, Point at, int gap, int arm) {
  cv::Mat image = mat_of(canvas);
  const std::array<std::pair<cv::Point, cv::Point>, 4> arms{{{{at.x - arm, at.y}, {at.x - gap, at.y}},
                                                             {{at.x + gap, at.y}, {at.x + arm, at.y}},
                                                             {{at.x, at.y - arm}, {at.x, at.y - gap}},
                                                             {{at.x, at.y + gap}, {at.x, at.y + arm}}}};
  for (const auto& [from, to] : arms) cv::line(image, from, to, scalar(kLight), 3);
  for (const auto& [from, to] : arms) cv::line(image, from, to, scalar(kCursorColour), 1);
}

void draw_inset(const frames::PixelView& frame, Canvas& canvas, Point cursor, const Rect& inset) {
  const Rect source{std::clamp(cursor.x - kInsetSourceWidth / 2, 0, frame.width - kInsetSourceWidth),
                    std::clamp(cursor.y - kInsetSourceHeight / 2, 0, frame.height - kInsetSourceHeight),
                    kInsetSourceWidth, kInsetSourceHeight};
  cv::Mat image = mat_of(canvas);
  cv::Mat target = image(cv::Rect(inset.x, inset.y, inset.width, inset.height));
  cv::Mat rgb;
  cv::cvtColor(mat_of(frame.part(source)), rgb, cv::COLOR_BGRA2RGB);
  cv::resize(rgb, target, target.size(), 0, 0, cv::INTER_NEAREST);
  const Point zoomed{inset.x + (cursor.x - source.x) * kZoom, inset.y + (cursor.y - source.y) * kZoom};
  // Frame the cursor's pixel, but do not paint over it.
  draw_arms(canvas, {zoomed.x + kZoom / 2, zoomed.y + kZoom / 2}, kZoom + 3, 5 * kZoom);
  cv::rectangle(image, cv::Rect(zoomed.x - 1, zoomed.y - 1, kZoom + 2, kZoom + 2), scalar(kCursorColour), 1);
  draw_label(canvas, std::to_string(cursor.x) + "," + std::to_string(cursor.y) + "  x" + std::to_string(kZoom),
             {inset.x, inset.bottom() - 14}, kLabelScale, kLight);
  cv::rectangle(image, cv::Rect(inset.x - 2, inset.y - 2, inset.width + 4, inset.height + 4), scalar(kDark), 1);
  cv::rectangle(image, cv::Rect(inset.x - 1, inset.y - 1, inset.width + 2, inset.height + 2), scalar(kLight), 1);
}

// Draws it in the first free corner, if any.
void draw_banner(Canvas& canvas, std::span<const Rect> keep_clear) {
  const std::string text = "image=" + std::to_string(canvas.width()) + "x" + std::to_string(canvas.height());
  const Rect area = label_area(text, {}, kBannerScale);
  const int left = kBannerMargin;
  const int right = std::max(0, canvas.width() - area.width - kBannerMargin);
  const int top = kBannerMargin / 2;
  const int bottom = std::max(0, canvas.height() - area.height - kBannerMargin / 2);
  for (const Point at : {Point{left, bottom}, Point{right, bottom}, Point{left, top}, Point{right, top}}) {
    if (!is_free({at.x, at.y, area.width, area.height}, keep_clear)) continue;
    return draw_label(canvas, text, at, kBannerScale, {255, 224, 130});
  }
}

// OpenCV would start a thread for each core, for half a millisecond of work.
bool disable_opencv_threads() {
  cv::setNumThreads(1);
  return true;
}

}  // namespace

Rect inset_area(int width, int height, Point cursor, std::span<const Rect> keep_clear) {
  const int inset_width = kInsetSourceWidth * kZoom;
  const int inset_height = kInsetSourceHeight * kZoom;
  if (width < 2 * inset_width + 4 * kInsetMargin || height < 2 * inset_height + 4 * kInsetMargin) return {};
  const int near_edge = kInsetMargin + 20;  // Keeps the edge's labels readable.
  const std::array columns{near_edge, width - inset_width - near_edge};
  const std::array rows{near_edge, height - inset_height - near_edge};
  const std::size_t across = cursor.x < width / 2 ? 1 : 0;
  const std::size_t down = cursor.y < height / 2 ? 1 : 0;
  const auto corner = [&](std::size_t column, std::size_t row) {
    return Rect{columns[column], rows[row], inset_width, inset_height};
  };
  const Rect crosshair{cursor.x - kArm, cursor.y - kArm, 2 * kArm, 2 * kArm};
  // The farthest corner first, the cursor's own corner last.
  for (const Rect& place :
       {corner(across, down), corner(across, 1 - down), corner(1 - across, down), corner(1 - across, 1 - down)}) {
    const Rect framed{place.x - kInsetFrame, place.y - kInsetFrame, place.width + 2 * kInsetFrame,
                      place.height + 2 * kInsetFrame};
    if (intersection(place, crosshair).empty() && is_free(framed, keep_clear)) return place;
  }
  return {};
}

void draw_plain(const frames::PixelView& frame, Canvas& canvas) {
  [[maybe_unused]] static const bool kOneThread = disable_opencv_threads();
  canvas.resize(frame.width, frame.height);
  cv::Mat image = mat_of(canvas);
  cv::cvtColor(mat_of(frame), image, cv::COLOR_BGRA2RGB);
}

Rect annotate(const frames::PixelView& frame, std::optional<Point> cursor, Canvas& canvas, const KeepClear& clear) {
  draw_plain(frame, canvas);
  draw_grid(canvas);
  draw_coordinates(canvas, clear.elements);
  std::vector<Rect> taken = clear.elements;
  taken.insert(taken.end(), clear.unknown.begin(), clear.unknown.end());
  Rect inset;
  if (cursor && Rect{0, 0, frame.width, frame.height}.contains(*cursor)) {
    cv::Mat image = mat_of(canvas);
    draw_arms(canvas, *cursor, 4, kArm);
    cv::circle(image, {cursor->x, cursor->y}, 12, scalar(kCursorColour), 1, cv::LINE_AA);
    inset = inset_area(frame.width, frame.height, *cursor, taken);
    if (!inset.empty()) draw_inset(frame, canvas, *cursor, inset);
    taken.push_back(inset);
  }
  draw_banner(canvas, taken);
  return inset;
}

}  // namespace da::observer
