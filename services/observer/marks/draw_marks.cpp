#include "services/observer/marks/draw_marks.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "services/observer/image/colour.h"
#include "services/observer/image/digits.h"

namespace da::observer {
namespace {

// Dark enough for white numbers (a contrast of at least 4.5), bright enough for dark desktops.
constexpr std::array<Colour, 8> kColours{{{214, 32, 40},
                                          {22, 98, 224},
                                          {12, 128, 52},
                                          {150, 50, 215},
                                          {178, 84, 0},
                                          {206, 20, 124},
                                          {0, 122, 136},
                                          {110, 90, 40}}};
constexpr Colour kWhite{255, 255, 255};
constexpr int kPadding = 2;            // Pixels around the digits.
constexpr int kLargeShortEdge = 1400;  // Models scale larger images down.

std::int64_t squared_gap(const Rect& a, const Rect& b) {
  const std::int64_t x = std::max({0, a.x - b.right(), b.x - a.right()});
  const std::int64_t y = std::max({0, a.y - b.bottom(), b.y - a.bottom()});
  return x * x + y * y;
}

// Gives each label the colour whose nearest other use is farthest away.
std::vector<std::size_t> colours_of(std::span<const Rect> labels) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    std::array<std::int64_t, kColours.size()> nearest;
    nearest.fill(std::numeric_limits<std::int64_t>::max());
    for (std::size_t j = 0; j < i; ++j)
      nearest[chosen[j]] = std::min(nearest[chosen[j]], squared_gap(labels[i], labels[j]));
    chosen.push_back(static_cast<std::size_t>(std::ranges::max_element(nearest) - nearest.begin()));
  }
  return chosen;
}

void draw_box(Canvas& canvas, const Rect& box, int line, const Colour& colour) {
  fill_area(canvas, {box.x, box.y, box.width, line}, colour);
  fill_area(canvas, {box.x, box.bottom() - line, box.width, line}, colour);
  fill_area(canvas, {box.x, box.y, line, box.height}, colour);
  fill_area(canvas, {box.right() - line, box.y, line, box.height}, colour);
}

}  // namespace

void draw_marks(const LabelScene& scene, Canvas& canvas) {
  const auto boxes = scene.boxes;
  const int scale = std::min(canvas.width(), canvas.height()) >= kLargeShortEdge ? 2 : 1;
  std::vector<Size> sizes;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    sizes.push_back(
        {digits_width(static_cast<int>(i) + 1, scale) + 2 * kPadding * scale, (kDigitHeight + 2 * kPadding) * scale});
  }
  const auto labels = place_labels(scene, sizes);
  const auto colours = colours_of(labels);
  for (std::size_t i = 0; i < boxes.size(); ++i) draw_box(canvas, boxes[i], scale, kColours[colours[i]]);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    fill_area(canvas, labels[i], kColours[colours[i]]);
    draw_digits(canvas, static_cast<int>(i) + 1, {labels[i].x + kPadding * scale, labels[i].y + kPadding * scale},
                scale, kWhite);
  }
}

}  // namespace da::observer
