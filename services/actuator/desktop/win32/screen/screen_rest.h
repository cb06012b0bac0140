// Waits until the screen is at rest: asks desktop duplication every kBetweenLooks whether anything has changed, or,
// where there is none, compares captures by GDI. A change that ends before the next capture is not seen then. Owns two
// bitmaps. Any thread; calls take turns.
#pragma once

#include <mutex>
#include <optional>

#include "services/actuator/desktop/roles/screen.h"
#include "services/actuator/desktop/win32/screen/duplication/desktop_duplication.h"
#include "services/actuator/desktop/win32/screen/frame_bitmap.h"

namespace da::actuator::win32 {

// The bounding rectangle of all monitors. Its origin may be negative.
Rect virtual_desktop();

class ScreenRest {
 public:
  static constexpr Milliseconds kBetweenLooks{15};

  ScreenRest(DesktopDuplication& duplication, const Clock& clock) : duplication_(duplication), clock_(clock) {}

  Result<Quiet> wait(const Rest& rest, MonoTime deadline);

 private:
  // What the last look has seen.
  struct Seen {
    std::uint64_t generation = 0;     // Reported by desktop duplication; 0: it was not available.
    std::optional<FrameView> pixels;  // Captured by GDI.
  };
  // Whether the screen has changed since the last look. True when the two looks cannot be compared.
  Result<bool> look(Seen& seen);

  DesktopDuplication& duplication_;
  const Clock& clock_;
  std::mutex waiting_;  // Guards these:
  FrameBitmap frames_[2];
  std::size_t last_ = 0;  // The bitmap of the last look.
};

}  // namespace da::actuator::win32
