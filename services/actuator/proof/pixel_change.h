// Tells whether a part of the screen looks different than before an action, apart from a caret that blinks and from
// areas to ignore, such as a control that lights up because the pointer is over it. Pure but for the memory of the
// pixels, which is reused. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lib/base/geometry.h"
#include "services/actuator/desktop/roles/screen.h"

namespace da::actuator {

// Returns the area with a border of this width around it.
inline Rect grown(const Rect& area, int by) {
  return {area.x - by, area.y - by, area.width + 2 * by, area.height + 2 * by};
}

class PixelMemory {
 public:
  // Remembers these pixels instead of earlier ones, and ignores none of them.
  void keep(const FrameView& view);
  // From now on, what changes there does not count. Desktop pixels; may reach beyond the picture.
  void ignore(std::span<const Rect> areas) { ignored_.insert(ignored_.end(), areas.begin(), areas.end()); }
  void forget() { area_ = {}; }
  const Rect& area() const { return area_; }

  // The smallest rectangle around all pixels outside of the ignored areas and of `others` that differ from the
  // remembered ones, of the part that both pictures show. nullopt if none differs, or only so narrow a column that it
  // may be a caret. Desktop pixels.
  std::optional<Rect> change(const FrameView& now, std::span<const Rect> others = {}) const;

 private:
  Rect area_;
  std::vector<std::uint8_t> pixels_;  // BGRX, rows without gaps.
  std::vector<Rect> ignored_;
};

}  // namespace da::actuator
