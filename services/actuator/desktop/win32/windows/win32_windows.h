// The top-level windows of the session. Never waits for an application, except focus() and terminate() until their
// deadlines. Any thread.
//
// Errors: kNotFound (the window is gone), kPermissionDenied (its process has a higher integrity level),
// kDeadlineExceeded.
#pragma once

#include <windows.h>

#include "services/actuator/desktop/roles/checkpoint.h"
#include "services/actuator/desktop/roles/windows.h"

namespace da::actuator::win32 {

// The top-level window that gets a click there; the desktop's own window or null for none.
HWND top_level_at(POINT at);

class Win32Windows final : public Windows {
 public:
  explicit Win32Windows(const Clock& clock) : clock_(clock) {}

  Result<std::vector<WindowInfo>> list() override;
  std::vector<std::uint32_t> ancestors() override;
  Result<std::optional<WindowInfo>> foreground() override;
  // A menu, a tooltip or an open list counts as the window that it belongs to.
  Result<std::optional<WindowInfo>> window_at(Point at) override;
  // A window that is disabled by its dialog is in front once that dialog is active.
  Result<void> focus(const std::string& id, MonoTime deadline) override;
  Result<void> close(const std::string& id) override;
  // Windows always has one.
  Result<Ending> terminate(std::uint32_t pid, std::uint64_t process_start, const Checkpoint& checkpoint,
                           MonoTime deadline) override;

 private:
  const Clock& clock_;
};

}  // namespace da::actuator::win32
