#include "services/observer/mark_labels.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

namespace da::observer {
namespace {

// Brightness steps from here on are edges; the shades of themes are below.
constexpr int kEdge = 24;

// Costs of a place.
constexpr int kNextPlace = 4;       // For each place that is farther down the list.
constexpr int kOverDetail = 2;      // For each pixel of the screen's own that is hidden and says something.
constexpr int kOverLabel = 40;      // For each pixel of another label: it would become illegible.
constexpr int kNearLabel = 2;       // For each pixel of the gap between two that is missing.
constexpr int kOverDrawing = 3;     // Of what else is drawn.
constexpr double kOverOther = 0.5;  // Of another element: the number could be taken for its own.
constexpr int kGap = 1;             // Pixels that two labels should be apart.
constexpr int kRounds = 2;          // The second one knows where the later labels are.

int brightness(const std::uint8_t* pixel) { return (pixel[0] + 2 * pixel[1] + pixel[2]) / 4; }

// Straight across it, such as a window's border: nothing to read.
bool is_line(int edges, int length) { return edges * 10 >= length * 9; }

// In the order of preference.
std::array<Rect, 14> places(const Rect& box, Size label) {
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

double cost(const LabelScene& scene, const Rect& place, std::size_t own, std::span<const Rect> labels) {
  double total = kOverDetail * detail_of(scene.image, place);
  const Rect with_gap{place.x - kGap, place.y - kGap, place.width + 2 * kGap, place.height + 2 * kGap};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (i == own) continue;
    total += kOverLabel * static_cast<double>(intersection(place, labels[i]).area());
    total += kNearLabel * static_cast<double>(intersection(with_gap, labels[i]).area());
    // An element that holds this one is its surroundings, not a neighbour.
    const bool holds = intersection(scene.boxes[i], scene.boxes[own]) == scene.boxes[own];
    if (!holds) total += kOverOther * static_cast<double>(intersection(place, scene.boxes[i]).area());
  }
  for (const Rect& other : scene.others) total += kOverOther * static_cast<double>(intersection(place, other).area());
  for (const Rect& drawn : scene.keep_clear) {
    total += kOverDrawing * static_cast<double>(intersection(place, drawn).area());
  }
  return total;
}

// Moved inside; at the upper left corner where the image is too small.
Rect inside(Rect place, const PixelView& image) {
  place.x = std::max(0, std::min(place.x, image.width - place.width));
  place.y = std::max(0, std::min(place.y, image.height - place.height));
  return place;
}

Rect best_place(const LabelScene& scene, Size label, std::size_t own, std::span<const Rect> labels) {
  const Rect image{0, 0, scene.image.width, scene.image.height};
  Rect best = inside({scene.boxes[own].x, scene.boxes[own].y, label.width, label.height}, scene.image);
  double least = std::numeric_limits<double>::max();
  int rank = 0;
  for (const Rect& place : places(scene.boxes[own], label)) {
    const double further = kNextPlace * rank++;
    if (intersection(place, image) != place || further >= least) continue;
    const double total = further + cost(scene, place, own, labels);
    if (total >= least) continue;
    least = total;
    best = place;
  }
  return best;
}

}  // namespace

int detail_of(const PixelView& image, const Rect& wanted) {
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
