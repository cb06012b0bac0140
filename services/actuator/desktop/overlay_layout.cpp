#include "services/actuator/desktop/overlay_layout.h"

#include <algorithm>

namespace da::actuator {
namespace {

constexpr std::uint32_t kTextColour = 0xf2f2f2;
constexpr std::uint32_t kQuestionColour = 0xffc040;
constexpr int kBarPixels = 3;
constexpr int kBarDistance = 2;   // Toolkits draw a focus at the very edge of an element.
constexpr int kBannerMargin = 4;  // Distance to the edge of the monitor.

const MonitorInfo* monitor_of(std::span<const MonitorInfo> monitors, const std::optional<Rect>& marker) {
  if (monitors.empty()) return nullptr;
  if (marker) {
    const auto found =
        std::ranges::find_if(monitors, [&](const MonitorInfo& each) { return each.bounds.contains(marker->center()); });
    if (found != monitors.end()) return &*found;
  }
  return &monitors.front();
}

}  // namespace

std::vector<OverlayLine> overlay_lines(const OverlayContent& content) {
  std::vector<OverlayLine> lines;
  lines.push_back({content.driver + "  \u00b7  " + content.stop_chord, kTextColour});
  if (!content.question.empty()) lines.push_back({"waits for approval: " + content.question, kQuestionColour});
  if (!content.approval_words.empty()) lines.push_back({"its words: " + content.approval_words, kQuestionColour});
  // It stands in marks, because others choose this text: it must not look like one of the lines above.
  if (!content.justification.empty()) {
    lines.push_back({"proposer says: \u00ab" + content.justification + "\u00bb", kTextColour});
  }
  return lines;
}

double banner_scale(std::span<const MonitorInfo> monitors, const std::optional<Rect>& marker) {
  const MonitorInfo* monitor = monitor_of(monitors, marker);
  return monitor == nullptr ? 1.0 : monitor->scale;
}

Rect place_banner(const Size& size, std::span<const MonitorInfo> monitors, const std::optional<Rect>& marker) {
  const MonitorInfo* monitor = monitor_of(monitors, marker);
  if (monitor == nullptr) return {};
  const Rect& bounds = monitor->bounds;
  Rect banner{bounds.x + (bounds.width - size.width) / 2, bounds.y + kBannerMargin, size.width, size.height};
  // Includes the outline around the marker.
  constexpr int kReach = kBarDistance + kBarPixels;
  const Rect reach =
      marker ? Rect{marker->x - kReach, marker->y - kReach, marker->width + 2 * kReach, marker->height + 2 * kReach}
             : Rect{};
  const Rect at_top = banner;
  banner.y = bounds.bottom() - kBannerMargin - size.height;
  if (intersection(at_top, reach).empty() || !intersection(banner, reach).empty()) banner = at_top;
  return intersection(banner, bounds);
}

std::vector<Rect> marker_bars(const Rect& marker, const Rect& desktop) {
  const Rect inner{marker.x - kBarDistance, marker.y - kBarDistance, marker.width + 2 * kBarDistance,
                   marker.height + 2 * kBarDistance};
  const int width = inner.width + 2 * kBarPixels;
  const Rect all[] = {{inner.x - kBarPixels, inner.y - kBarPixels, width, kBarPixels},
                      {inner.x - kBarPixels, inner.bottom(), width, kBarPixels},
                      {inner.x - kBarPixels, inner.y, kBarPixels, inner.height},
                      {inner.right(), inner.y, kBarPixels, inner.height}};
  std::vector<Rect> bars;
  for (const Rect& bar : all) {
    if (const Rect shown = intersection(bar, desktop); !shown.empty()) bars.push_back(shown);
  }
  return bars;
}

}  // namespace da::actuator
