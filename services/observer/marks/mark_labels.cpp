#include "services/observer/marks/mark_labels.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

namespace da::observer {
namespace {

constexpr int kEdge = 24;  // Brightness step of an edge. The shades of themes differ by less.

constexpr int kNextPlaceCost = 4;  // Cost of each step down the list of places.
// Costs of each pixel that a label covers.
constexpr int kOverDetailCost = 2;      // Text and edges of the screen.
constexpr int kOverLabelCost = 40;      // Another label, which would become illegible.
constexpr int kLabelGapCost = 2;        // The gap around another label.
constexpr int kOverDrawingCost = 3;     // Another annotation.
constexpr double kOverOtherCost = 0.5;  // Another element, to which the number could seem to belong.

constexpr int kGap = 1;     // Pixels between two labels.
constexpr int kRounds = 2;  // Only the second round knows all other labels.

int brightness(const std::uint8_t* pixel) { return (pixel[0] + 2 * pixel[1] + pixel[2]) / 4; }

// A straight line, such as a window's border, has no text.
bool is_line(int edges, int length) { return edges * 10 >= length * 9; }

// Returns the places in the order of preference.
std::array<Rect, 14> label_places(const Rect& box, Size label) {
  const int left = box.x - label.width;
  const int above = box.y - label.height;
  const int far_x = box.right() - label.width;
  const int far_y = box.bottom() - label.height;
  const int middle = box.center().y - label.height / 2;
  const auto at = [&](int x, int y) { return Rect{x, y, label.width, label.height}; };
  return {at(box.x, above), at(far_x, above),        at(left, box.y),         at(box.right(), box.y),
          at(left, middle), at(box.right(), middle), at(box.x, box.bottom()), at(far_x, box.bottom()),
          at(left, above),  at(box.right(), above),  at(box.x, box.y),        at(far_x, box.y),
          at(box.x, far_y), at(far_x, far_y)};
}

double label_cost(const LabelScene& scene, const Rect& place, std::size_t own, std::span<const Rect> labels) {
  double total = kOverDetailCost * detail_of(scene.image, place);
  const Rect with_gap{place.x - kGap, place.y - kGap, place.width + 2 * kGap, place.height + 2 * kGap};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (i == own) continue;
    total += kOverLabelCost * static_cast<double>(intersection(place, labels[i]).area());
    total += kLabelGapCost * static_cast<double>(intersection(with_gap, labels[i]).area());
    // An element around this one is not a neighbour.
    const bool around = intersection(scene.boxes[i], scene.boxes[own]) == scene.boxes[own];
    if (!around) total += kOverOtherCost * static_cast<double>(intersection(place, scene.boxes[i]).area());
  }
  for (const Rect& other : scene.others) {
    total += kOverOtherCost * static_cast<double>(intersection(place, other).area());
  }
  for (const Rect& drawn : scene.keep_clear) {
    total += kOverDrawingCost * static_cast<double>(intersection(place, drawn).area());
  }
  return total;
}

// Moves it into the image; to the upper left corner if the image is too small.
Rect moved_inside(Rect place, const frames::PixelView& image) {
  place.x = std::max(0, std::min(place.x, image.width - place.width));
  place.y = std::max(0, std::min(place.y, image.height - place.height));
  return place;
}

Rect best_place(const LabelScene& scene, Size label, std::size_t own, std::span<const Rect> labels) {
  const Rect image{0, 0, scene.image.width, scene.image.height};
  Rect best = moved_inside({scene.boxes[own].x, scene.boxes[own].y, label.width, label.height}, scene.image);
  double least = std::numeric_limits<double>::max();
  int rank = 0;
  for (const Rect& place : label_places(scene.boxes[own], label)) {
    const double further = kNextPlaceCost * rank++;
    if (intersection(place, image) != place || further >= least) continue;
    const double total = further + label_cost(scene, place, own, labels);
    if (total >= least) continue;
    least = total;
    best = place;
  }
  return best;
}

}  // namespace

int detail_of(const frames::PixelView& image, const Rect& wanted) {
  const Rect area = intersection(wanted, {0, 0, image.width - 1, image.height - 1});
  if (area.empty()) return 0;
  std::vector<int> columns(static_cast<std::size_t>(area.width));
  int edges = 0;
  for (int y = area.y; y < area.bottom(); ++y) {
    const std::uint8_t* pixel =
        image.data + static_cast<std::size_t>(y) * image.stride + static_cast<std::size_t>(area.x) * 4;
    int row = 0;
    for (int& column : columns) {
      const int here = brightness(pixel);
      const bool edge =
          std::abs(brightness(pixel + 4) - here) >= kEdge || std::abs(brightness(pixel + image.stride) - here) >= kEdge;
      row += edge ? 1 : 0;
      column += edge ? 1 : 0;
      pixel += 4;
    }
    if (!is_line(row, area.width)) edges += row;
  }
  for (const int column : columns) {
    if (is_line(column, area.height)) edges -= column;
  }
  return std::max(edges, 0);
}

std::vector<Rect> place_labels(const LabelScene& scene, std::span<const Size> sizes) {
  std::vector<Rect> labels(scene.boxes.size());  // Empty: not placed yet.
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = best_place(scene, sizes[i], i, labels);
  }
  return labels;
}

}  // namespace da::observer
