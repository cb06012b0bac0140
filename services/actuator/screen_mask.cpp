#include "services/actuator/screen_mask.h"

#include <algorithm>
#include <cstring>

namespace da::actuator {
namespace {

// A toolkit says where an element is before it has painted it there: at most a few frames.
constexpr Milliseconds kLinger{500};
// For one application's answers; one that does not give them has its whole window masked.
constexpr Milliseconds kPatience{500};
constexpr std::size_t kBytesPerPixel = 4;

Hides hides(const Mask& mask) { return mask.passwords ? Hides::kText : Hides::kNamesToo; }

bool touches(const Rect& a, const Rect& b) { return !intersection(a, b).empty(); }

}  // namespace

Result<Masked> ScreenMask::locate(Desktop& desktop, const Clock& clock) {
  Masked masked;
  if (masks_.all().empty() && fields_.empty() && seen_.empty()) return masked;
  ASSIGN_OR_RETURN(masked.windows, desktop.windows().list());
  ASSIGN_OR_RETURN(const auto areas, locate_now(desktop, masked.windows, clock));
  const MonoTime now = clock.now();
  std::erase_if(seen_, [&](const Seen& seen) {
    return now - seen.at > kLinger || std::ranges::find(areas, seen.area) != areas.end();
  });
  for (const MaskedArea& area : areas) seen_.push_back({area, now});
  for (const Seen& seen : seen_) masked.areas.push_back(seen.area);
  return masked;
}

Result<std::vector<MaskedArea>> ScreenMask::locate_now(Desktop& desktop, const std::vector<WindowInfo>& windows,
                                                       const Clock& clock) {
  std::vector<MaskedArea> areas;
  for (const Mask& mask : masks_.all()) {
    if (mask.rect) areas.push_back({*mask.rect, Hides::kNamesToo});
  }
  for (const WindowInfo& window : windows) {
    if (window.minimized) continue;
    ASSIGN_OR_RETURN(const auto found, of_window(desktop.ui_tree(), window, clock.now() + kPatience));
    areas.insert(areas.end(), found.begin(), found.end());
  }
  for (const Rect& field : fields_.locate(desktop.ui_tree(), windows, clock.now() + kPatience)) {
    areas.push_back({field, Hides::kText});
  }
  return areas;
}

Result<std::vector<MaskedArea>> ScreenMask::of_window(UiTree& tree, const WindowInfo& window, MonoTime deadline) const {
  std::vector<const Mask*> on_elements;
  for (const Mask& mask : masks_.all()) {
    if (!mask.covers(window)) continue;
    if (mask.whole_window()) return std::vector<MaskedArea>{{window.bounds, Hides::kNamesToo}};
    on_elements.push_back(&mask);
  }
  std::vector<MaskedArea> areas;
  if (on_elements.empty()) return areas;
  ASSIGN_OR_RETURN(const ElementTree elements, tree.read(window, {TreeLimits{}.max_nodes, deadline}));
  // A window without a tree has no elements to mask; one whose tree could not be read to its end may have any.
  if (elements.truncated) return std::vector<MaskedArea>{{window.bounds, Hides::kNamesToo}};
  for (const Element& element : elements.elements) {
    for (const Mask* mask : on_elements) {
      if (!element.bounds.empty() && mask->covers_element(element)) areas.push_back({element.bounds, hides(*mask)});
    }
  }
  return areas;
}

bool ScreenMask::covers(const Mask& mask, const Element& element, const Masked& masked) const {
  const auto window = std::ranges::find(masked.windows, element.window_id, &WindowInfo::id);
  if (window == masked.windows.end() || !mask.covers(*window)) return false;
  return mask.whole_window() || mask.covers_element(element);
}

void ScreenMask::hide_text(Element& element, const Masked& masked) const {
  const auto covered = [&](const MaskedArea& masked_area) { return touches(masked_area.area, element.bounds); };
  if (fields_.holds(element.handle) || std::ranges::any_of(masked.areas, covered) ||
      std::ranges::any_of(masks_.all(), [&](const Mask& mask) { return covers(mask, element, masked); })) {
    element.text.clear();
  }
  if (!fields_.given_to(element.pid)) return;
  secrets_.redact(element.text);
  secrets_.redact(element.name);
}

void ScreenMask::hide(Element& element, const Masked& masked) const {
  const auto mostly = [&](const MaskedArea& masked_area) {
    return masked_area.hides == Hides::kNamesToo && !element.bounds.empty() &&
           2 * intersection(masked_area.area, element.bounds).area() >= element.bounds.area();
  };
  const auto by_itself = [&](const Mask& mask) {
    return hides(mask) == Hides::kNamesToo && covers(mask, element, masked);
  };
  if (std::ranges::any_of(masked.areas, mostly) || std::ranges::any_of(masks_.all(), by_itself)) element.name.clear();
  hide_text(element, masked);
}

void ScreenMask::hide(WindowInfo& window) const {
  if (fields_.given_to(window.pid)) secrets_.redact(window.title);
}

void ScreenMask::hide(std::string& message) const {
  if (!fields_.empty()) secrets_.redact(message);
}

void black_out(std::uint8_t* pixels, std::size_t stride, const Rect& place, const std::vector<MaskedArea>& areas) {
  for (const MaskedArea& masked : areas) {
    const Rect covered = intersection(masked.area, place);
    if (covered.empty()) continue;
    std::uint8_t* row = pixels + static_cast<std::size_t>(covered.y - place.y) * stride +
                        static_cast<std::size_t>(covered.x - place.x) * kBytesPerPixel;
    for (int y = 0; y < covered.height; ++y, row += stride) {
      std::memset(row, 0, static_cast<std::size_t>(covered.width) * kBytesPerPixel);
    }
  }
}

}  // namespace da::actuator
