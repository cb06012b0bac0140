// Offers text on the clipboard and learns when an application takes it.
//
// The text is rendered only when someone asks for it (WM_RENDERFORMAT). Clipboard histories and cloud copies are asked
// to ignore it, and a request of a process other than that of the foreground window does not count as fetched. What was
// on the clipboard before is saved and put back when this object is destroyed, unless something else was copied since.
//
// Owns a hidden window and the thread "clipboard". One thread at a time. Errors: kUnavailable (another program keeps
// the clipboard open), kDeadlineExceeded (the previous owner does not hand over its content).
#pragma once

#include <windows.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/desktop/win32/clipboard/clipboard_content.h"

namespace da::actuator::win32 {

class Win32Clipboard final : public Clipboard {
 public:
  static Result<std::unique_ptr<Win32Clipboard>> open(const Clock& clock);
  ~Win32Clipboard() override;
  Win32Clipboard(const Win32Clipboard&) = delete;
  Win32Clipboard& operator=(const Win32Clipboard&) = delete;

  // A newline becomes a carriage return and a newline, as on Windows.
  Result<void> set_text(std::string_view text) override;
  Result<bool> wait_until_fetched(MonoTime deadline) override;

 private:
  explicit Win32Clipboard(const Clock& clock) : clock_(clock) {}

  // On the thread "clipboard":
  void run();
  static LRESULT CALLBACK on_message(HWND window, UINT message, WPARAM first, LPARAM second);
  LRESULT handle(HWND window, UINT message, WPARAM first, LPARAM second);
  Result<void> offer();
  bool open_clipboard();
  void render();
  void render_before_end();
  void restore();

  const Clock& clock_;
  HWND window_ = nullptr;   // Set before `started_`.
  ClipboardContent saved_;  // Used only by the thread, as the next.
  bool restored_ = false;

  std::mutex mutex_;  // Guards these:
  std::condition_variable changed_;
  std::optional<Result<void>> started_;
  std::wstring text_;
  std::uint32_t offer_ = 0;  // Number of the last set_text().
  std::uint32_t offered_ = 0;
  Result<void> outcome_;  // Of offer `offered_`.
  bool fetched_ = false;
  std::thread thread_;
};

}  // namespace da::actuator::win32
