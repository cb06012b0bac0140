// Opens the clipboard for a window of the calling thread, and closes it at the end. One thread.
#pragma once

#include <windows.h>

#include <utility>

#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::actuator::win32 {

class OpenedClipboard {
 public:
  // Another program may have it open for a moment: tries again until `patience` is over, and answers
  // messages that are sent to this thread meanwhile. kUnavailable then. Windows refuses content from an opener without
  // a window.
  static Result<OpenedClipboard> open(HWND window, Milliseconds patience, const Clock& clock);
  ~OpenedClipboard() {
    if (open_) ::CloseClipboard();
  }
  OpenedClipboard(OpenedClipboard&& other) noexcept : open_(std::exchange(other.open_, false)) {}
  OpenedClipboard& operator=(OpenedClipboard&&) = delete;

 private:
  OpenedClipboard() = default;

  bool open_ = true;
};

}  // namespace da::actuator::win32
