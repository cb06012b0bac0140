#include "services/actuator/desktop/x11/atspi/atspi_places.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace da::actuator::x11 {
namespace {

constexpr double kSmallestScale = 0.5;
constexpr double kLargestScale = 5;
// Rounding makes the scale of a smaller window too inexact.
constexpr int kSmallestMeasured = 16;
// Desktop pixels by which a roughly fitting rectangle may differ on each side: about the height of a title bar.
constexpr int kRough = 48;
// GTK4 scales by whole numbers only.
constexpr int kLargestGtk4Scale = 4;
constexpr int kThickestBorder = 12;  // Pixels of the application; GTK4's border has 5.

std::array<Rect, 4> rectangles_of(const DescribedWindow& window) {
  return {window.client, window.info.bounds, window.surface, window.frame};
}

// Toolkits round sizes in any direction: the real one is less than a pixel away.
struct Range {
  double from;
  double to;
  bool contains(double scale) const { return from < scale && scale < to; }
};

Range scales_between(const Rect& reported, const Rect& pixels) {
  return {std::max(double(pixels.width) / (reported.width + 1), double(pixels.height) / (reported.height + 1)),
          std::min(double(pixels.width) / (reported.width - 1), double(pixels.height) / (reported.height - 1))};
}

// Without a compositor, GTK4 draws a border around its own title bar, which neither the server nor the window's
// reported size knows: a border of the same width on all sides. nullopt: there is none, or several scales explain the
// sizes.
std::optional<PlaceMap> measure_bordered(const Rect& reported, const Rect& pixels) {
  std::optional<PlaceMap> found;
  for (int scale = 1; scale <= kLargestGtk4Scale; ++scale) {
    const int beside = pixels.width - scale * reported.width;
    const int above = pixels.height - scale * reported.height;
    if (beside <= 0 || above <= 0 || std::abs(beside - above) > scale) continue;
    if (beside > 2 * kThickestBorder * scale) continue;
    if (found) return std::nullopt;
    found = PlaceMap{pixels.x + beside / 2.0, pixels.y + above / 2.0, static_cast<double>(scale)};
  }
  return found;
}

bool close_to(int a, int b) { return std::abs(a - b) <= kRough; }

bool close_to(const Rect& a, const Rect& b) {
  return close_to(a.x, b.x) && close_to(a.y, b.y) && close_to(a.right(), b.right()) && close_to(a.bottom(), b.bottom());
}

}  // namespace

bool same_scale(double a, double b) { return std::abs(a - b) <= 0.02 * std::max(a, b); }

std::optional<double> scale_between(const Rect& reported, const Rect& pixels) {
  if (reported.empty() || pixels.empty()) return std::nullopt;
  if (reported.width == pixels.width && reported.height == pixels.height) return 1;
  if (std::min(reported.width, reported.height) < kSmallestMeasured) return std::nullopt;
  const Range range = scales_between(reported, pixels);
  if (!(range.from < range.to) || range.from < kSmallestScale || range.to > kLargestScale) return std::nullopt;
  // A pixel more or less is no scale.
  if (same_scale((range.from + range.to) / 2, 1)) return std::nullopt;
  // Settings are whole numbers, quarters or tenths; other factors come from a screen's resolution.
  for (const int parts : {1, 2, 4, 10}) {
    const double rounded = std::round((range.from + range.to) / 2 * parts) / parts;
    if (range.contains(rounded)) return rounded;
  }
  const bool wide = reported.width >= reported.height;
  return std::clamp(wide ? double(pixels.width) / reported.width : double(pixels.height) / reported.height, range.from,
                    range.to);
}

std::optional<PlaceMap> measure(const Rect& reported, const DescribedWindow& window) {
  std::optional<PlaceMap> scaled;
  for (const Rect& pixels : rectangles_of(window)) {
    const auto scale = scale_between(reported, pixels);
    if (scale == 1.0) return anchored(reported, pixels, 1);
    if (scale && !scaled) scaled = anchored(reported, pixels, *scale);
  }
  const bool own_coordinates = !reported.empty() && reported.x == 0 && reported.y == 0;
  // A border looks like a scale in a square window.
  const auto bordered = own_coordinates ? measure_bordered(reported, window.client) : std::nullopt;
  return bordered ? bordered : scaled;
}

std::optional<PlaceMap> measure_roughly(const Rect& reported, const DescribedWindow& window, double scale) {
  if (reported.empty()) return std::nullopt;
  const PlaceMap global{0, 0, scale};
  const PlaceMap own = anchored(reported, window.client, scale);
  const bool own_coordinates = reported.x == 0 && reported.y == 0;
  const auto fits = [&](const PlaceMap& map) {
    return std::ranges::any_of(rectangles_of(window), [&](const Rect& pixels) {
      return !pixels.empty() && close_to(map.to_desktop(reported), pixels);
    });
  };
  if (fits(global)) return global;
  return own_coordinates && fits(own) ? std::optional(own) : std::nullopt;
}

}  // namespace da::actuator::x11
