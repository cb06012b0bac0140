// The pixels of all monitors: by DXGI desktop duplication, else by GDI. Only duplication reports what has changed. One
// thread at a time; wait_quiet() and watch_drawing() from any.
//
// The process must be aware of each monitor's DPI, otherwise Windows reports scaled coordinates. Protected windows
// (SetWindowDisplayAffinity) are black in captures. Errors: kFailedPrecondition (the session is locked), kOutOfRange.
#pragma once

#include "services/actuator/desktop/roles/screen.h"
#include "services/actuator/desktop/win32/screen/duplication/desktop_duplication.h"
#include "services/actuator/desktop/win32/screen/frame_bitmap.h"
#include "services/actuator/desktop/win32/screen/screen_rest.h"

namespace da::actuator::win32 {

class Win32Screen final : public Screen {
 public:
  explicit Win32Screen(const Clock& clock, ListOutputs outputs = list_dxgi_outputs)
      : clock_(clock), duplication_(std::move(outputs), clock), rest_(duplication_, clock) {}

  Result<Layout> layout() override;
  Result<FrameView> capture() override;
  Result<FrameView> capture_area(const Rect& area) override;
  Result<std::optional<std::vector<Rect>>> changed_since(std::uint64_t generation) override;
  Result<std::unique_ptr<DrawingWatch>> watch_drawing() override;
  Result<Point> cursor() override;
  Result<CursorShape> cursor_shape() override;
  Result<Quiet> wait_quiet(const Rest& rest, MonoTime deadline) override { return rest_.wait(rest, deadline); }

 private:
  const Clock& clock_;
  DesktopDuplication duplication_;
  CopiedPixels copied_frame_;
  CopiedPixels copied_part_;
  FrameBitmap frame_;  // GDI fills frame_ and part_ when duplication_ fails.
  FrameBitmap part_;
  ScreenRest rest_;
};

}  // namespace da::actuator::win32
