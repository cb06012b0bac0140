#include "services/policy/same_look.h"

#include <cstdint>
#include <cstdlib>

#include "lib/contract/coordinates.h"
#include "lib/contract/likeness.h"

namespace da::policy {
namespace {

using Difference = std::optional<std::string>;

constexpr const char* kChanged = "the screen around the target has changed";

// Larger than a look. Where applications say that their elements are is any number, which must not overflow.
constexpr std::int64_t kFarPixels = 10'000;

struct Look {
  Rect area;  // Desktop pixels.
  const std::string& pixels;

  bool is_whole() const {
    return area.width > 0 && area.height > 0 && pixels.size() == static_cast<std::size_t>(area.area());
  }
  // part must lie within the area.
  std::string cut(const Rect& part) const {
    std::string rows;
    for (int y = part.y; y < part.y + part.height; ++y) {
      const auto at = std::int64_t{y - area.y} * area.width + (part.x - area.x);
      rows.append(pixels, static_cast<std::size_t>(at), static_cast<std::size_t>(part.width));
    }
    return rows;
  }
};

Look look_of(const v1::Evidence& evidence) {
  return {contract::from_proto(evidence.target_area()), evidence.target_pixels()};
}

Rect moved(Rect rect, Point by) { return {rect.x + by.x, rect.y + by.y, rect.width, rect.height}; }

Difference content_differs(const v1::Evidence& approved, const v1::Evidence& now) {
  const Rect before = contract::from_proto(approved.target_window().bounds());
  const Rect after = contract::from_proto(now.target_window().bounds());
  const bool has_moved = approved.has_target_element() ? before.x != after.x || before.y != after.y : before != after;
  if (has_moved) return "the target window has moved";
  const Look then = look_of(approved);
  const Look today = look_of(now);
  const bool alike = then.area == today.area &&
                     contract::looks_alike(then.pixels, today.pixels, then.area.width, contract::Surface::kContent);
  if (alike) return std::nullopt;
  return kChanged;
}

Difference control_differs(const v1::Evidence& approved, const v1::Evidence& now) {
  const Rect before = contract::from_proto(approved.target_element().bounds());
  const Rect after = contract::from_proto(now.target_element().bounds());
  if (before.width != after.width || before.height != after.height) return std::nullopt;
  const Look then = look_of(approved);
  const Look today = look_of(now);
  if (!then.is_whole() || !today.is_whole()) return kChanged;
  const std::int64_t right = std::int64_t{after.x} - before.x;
  const std::int64_t down = std::int64_t{after.y} - before.y;
  if (std::abs(right) > kFarPixels || std::abs(down) > kFarPixels) return std::nullopt;
  const Point by{static_cast<int>(right), static_cast<int>(down)};
  const Rect seen_twice = intersection(moved(then.area, by), today.area);
  if (seen_twice.area() == 0) return std::nullopt;
  const bool alike = contract::looks_alike(then.cut(moved(seen_twice, {-by.x, -by.y})), today.cut(seen_twice),
                                           seen_twice.width, contract::Surface::kControl);
  if (alike) return std::nullopt;
  return kChanged;
}

}  // namespace

std::optional<std::string> looks_differ(const v1::Evidence& approved, const v1::Evidence& now) {
  if (approved.target_pixels().empty()) return std::nullopt;
  const auto& element = approved.target_element();
  const bool is_control = contract::surface_of(element.role(), element.name()) == contract::Surface::kControl;
  return is_control ? control_differs(approved, now) : content_differs(approved, now);
}

}  // namespace da::policy
