// Waits until the screen is at rest, by comparing captures: GDI reports no changes.
//
// Compares the whole desktop every kBetweenCaptures. A change that is gone by the next capture is not seen. Owns two
// bitmaps. Any thread; calls take turns.
#pragma once

#include <mutex>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/desktop/win32/screen/frame_bitmap.h"

namespace da::actuator::win32 {

// The bounding rectangle of all monitors. Its origin may be negative.
Rect virtual_desktop();

class ScreenRest {
 public:
  static constexpr Milliseconds kBetweenCaptures{15};

  explicit ScreenRest(const Clock& clock) : clock_(clock) {}

  Result<Quiet> wait(const Rest& rest, MonoTime deadline);

 private:
  const Clock& clock_;
  std::mutex waiting_;
  FrameBitmap frames_[2];
};

}  // namespace da::actuator::win32
