// Messages to windows of other processes, with a limit of time, because an application may hang. Any thread.
//
// Windows copies the memory of messages below WM_USER between processes, so only those can carry text or structures.
#pragma once

#include <windows.h>

#include <optional>
#include <string>

#include "lib/base/clock.h"

namespace da::actuator::win32 {

class WindowQuestion {
 public:
  // No question is asked after `deadline`, and none takes longer than kLongest or runs beyond `deadline`.
  static constexpr Milliseconds kLongest{250};

  WindowQuestion(MonoTime deadline, const Clock& clock) : deadline_(deadline), clock_(clock) {}

  // nullopt when the application did not answer in time.
  std::optional<LRESULT> ask(HWND window, UINT message, WPARAM first = 0, LPARAM second = 0);

  // Reads at most `limit` units. nullopt when the application did not answer in time.
  std::optional<std::wstring> text(HWND window, std::size_t limit);

  bool is_over() const { return clock_.now() >= deadline_; }
  // Whether an application did not answer. After that, no question is asked to it any more.
  bool was_silent() const { return silent_; }

 private:
  const MonoTime deadline_;
  const Clock& clock_;
  bool silent_ = false;
};

}  // namespace da::actuator::win32
