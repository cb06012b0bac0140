// The overlay on Windows: one layered, transparent (for the mouse), topmost tool window that is never activated. Its
// region is the banner and the outline around the target.
//
// Windows keeps it out of all captures (WDA_EXCLUDEFROMCAPTURE, Windows 10 version 2004 or later). Elsewhere show()
// fails with kUnimplemented: earlier versions would show it as a black area in captures, and Wine shows it.
// Owns the thread "overlay window", which runs the window. Any thread.
#pragma once

#include <windows.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "services/actuator/desktop/overlay_layout.h"
#include "services/actuator/desktop/roles/overlay.h"
#include "services/actuator/desktop/roles/screen.h"

namespace da::actuator::win32 {

class Win32Overlay final : public Overlay {
 public:
  // Keeps a window out of captures; an error if this Windows cannot.
  using Exclude = std::function<Result<void>(HWND)>;
  static Result<void> exclude_from_captures(HWND window);

  // Also succeeds where the overlay cannot be shown: then show() fails, with the reason.
  static std::unique_ptr<Win32Overlay> open(Screen& screen, const Exclude& exclude = exclude_from_captures);
  ~Win32Overlay() override;
  Win32Overlay(const Win32Overlay&) = delete;
  Win32Overlay& operator=(const Win32Overlay&) = delete;

  Result<void> show(const OverlayContent& content) override;
  void hide() override;

  HWND window() const { return window_; }

 private:
  explicit Win32Overlay(Screen& screen) : screen_(screen) {}
  void run(const Exclude& exclude);
  Result<void> create_window(const Exclude& exclude);
  static LRESULT CALLBACK on_message(HWND window, UINT message, WPARAM wide, LPARAM extra);
  // These two run on the window's thread.
  bool place(const OverlayContent& content);
  void paint();

  Screen& screen_;  // Its layout() alone, which any thread may call here.
  std::mutex mutex_;
  std::condition_variable started_;
  std::optional<Result<void>> start_;  // Set once by the thread: whether the overlay can be shown.
  HWND window_ = nullptr;
  std::vector<OverlayLine> lines_;  // Only the window's thread uses lines_ to scale_.
  std::vector<Rect> bars_;          // In the window's pixels, as the banner.
  Rect banner_;
  double scale_ = 1.0;
  std::thread thread_;
};

}  // namespace da::actuator::win32
