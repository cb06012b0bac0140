#include "services/actuator/desktop/x11/atspi/toolkits/atspi_popovers.h"

#include <cmath>
#include <cstdlib>

namespace da::actuator::x11 {
namespace {

constexpr double kRounding = 2;
// The window is higher than the popover by the tail that points to the anchor, also if that is not drawn.
constexpr double kHighestTail = 40;

}  // namespace

bool is_popover(const AccessibleNode& node) { return node.name.ends_with("Popover"); }

std::optional<Point> popover_displacement(const AccessibleNode& popover, const Rect& anchor, const PlaceMap& map,
                                          std::span<const Rect> popups) {
  const Rect reported = map.to_desktop(popover.extents);
  const Rect* found = nullptr;
  for (const Rect& popup : popups) {
    const int tail = popup.height - reported.height;
    if (std::abs(popup.width - reported.width) > kRounding * map.scale) continue;
    if (tail < -kRounding * map.scale || tail > kHighestTail * map.scale) continue;
    if (found != nullptr) return std::nullopt;
    found = &popup;
  }
  if (found == nullptr) return std::nullopt;
  const bool below = found->center().y > map.to_desktop(anchor).center().y;
  const int dx = found->x - reported.x;
  const int dy = below ? found->bottom() - reported.bottom() : found->y - reported.y;
  const auto in_reported = [&](int pixels) { return static_cast<int>(std::lround(pixels / map.scale)); };
  return Point{in_reported(dx), in_reported(dy)};
}

}  // namespace da::actuator::x11
