// Learns whether an application has read the input in its queue.
//
// Windows sends WM_PAINT only to a thread without input in its queue. So a pixel of the focused window is marked as
// invalid, and once the window has painted it, all input sent before has been read. A window that paints itself all the
// time, or that does not paint, proves nothing. Any thread.
#pragma once

#include <windows.h>

#include <optional>

#include "lib/base/clock.h"
#include "services/actuator/desktop/roles/checkpoint.h"

namespace da::actuator::win32 {

// The window with the keyboard focus, or the foreground window where no control has the focus; null when there is none.
HWND focused_window();

class InputReceipt {
 public:
  explicit InputReceipt(const Clock& clock) : clock_(clock) {}

  // A window whose paints can be observed: it has the focus now, and has just painted, so that it has read its input.
  // nullopt when there is none. Errors: those of the checkpoint.
  Result<std::optional<HWND>> observable(const Checkpoint& checkpoint);

  // Returns true once the window has read its input, false when it is gone or has lost the focus. Errors:
  // kDeadlineExceeded, and those of the checkpoint.
  Result<bool> await(HWND window, MonoTime deadline, const Checkpoint& checkpoint);

 private:
  const Clock& clock_;
};

}  // namespace da::actuator::win32
