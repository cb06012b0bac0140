#include "services/actuator/privacy/masked_area.h"

#include <cstring>

#include "lib/frames/tile_grid.h"

namespace da::actuator {

const WindowInfo* find_window(const std::vector<WindowInfo>& windows, const std::string& id) {
  const auto found = std::ranges::find(windows, id, &WindowInfo::id);
  return found == windows.end() ? nullptr : &*found;
}

std::optional<MaskedArea> place(const AnchoredArea& area, const std::vector<WindowInfo>& windows) {
  if (area.window_id.empty()) return MaskedArea{area.in_window.value_or(Rect{}), area.hides};
  const WindowInfo* window = find_window(windows, area.window_id);
  if (window == nullptr || window->minimized) return std::nullopt;
  if (!area.in_window) return MaskedArea{window->bounds, area.hides};
  return MaskedArea{moved(*area.in_window, window->bounds.x, window->bounds.y), area.hides};
}

void black_out(std::uint8_t* pixels, std::size_t stride, const Rect& place, const std::vector<MaskedArea>& areas) {
  for (const MaskedArea& masked : areas) {
    const Rect covered = intersection(masked.area, place);
    if (covered.empty()) continue;
    std::uint8_t* row = pixels + static_cast<std::size_t>(covered.y - place.y) * stride +
                        static_cast<std::size_t>(covered.x - place.x) * frames::kBytesPerPixel;
    for (int y = 0; y < covered.height; ++y, row += stride) {
      std::memset(row, 0, static_cast<std::size_t>(covered.width) * frames::kBytesPerPixel);
    }
  }
}

}  // namespace da::actuator
