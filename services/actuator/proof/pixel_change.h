// Tells whether a part of the screen looks different than before an action, apart from what changes by itself: a caret
// that blinks, and a control that lights up because the pointer is over it. Pure but for the memory of the pixels, which
// is reused. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lib/base/geometry.h"
#include "services/actuator/desktop/roles/screen.h"

namespace da::actuator {

class PixelMemory {
 public:
  // Remembers these pixels instead of earlier ones.
  void keep(const FrameView& view);
  void forget() { area_ = {}; }
  const Rect& area() const { return area_; }

  // The smallest rectangle around all pixels outside `ignored` that differ from the remembered ones, or of the parts
  // that both show. nullopt if none differs, or only so narrow a column that it may be a caret. Desktop pixels.
  std::optional<Rect> change(const FrameView& now, const Rect& ignored) const;

 private:
  Rect area_;
  std::vector<std::uint8_t> pixels_;  // BGRX, rows without gaps.
};

}  // namespace da::actuator
