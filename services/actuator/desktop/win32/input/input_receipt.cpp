#include "services/actuator/desktop/win32/input/input_receipt.h"

#include <thread>

namespace da::actuator::win32 {
namespace {

constexpr Milliseconds kPaintsSoon{150};
constexpr Milliseconds kBetweenLooks{2};

bool has_pixels(HWND window) {
  RECT client{};
  return ::IsWindowVisible(window) && ::GetClientRect(window, &client) && client.right > 0 && client.bottom > 0;
}

}  // namespace

HWND focused_window() {
  const HWND foreground = ::GetForegroundWindow();
  GUITHREADINFO info{};
  info.cbSize = sizeof info;
  const DWORD thread = ::GetWindowThreadProcessId(foreground, nullptr);
  if (thread != 0 && ::GetGUIThreadInfo(thread, &info) && info.hwndFocus != nullptr) return info.hwndFocus;
  return foreground;
}

Result<std::optional<HWND>> InputReceipt::observable(const Checkpoint& checkpoint) {
  const HWND window = focused_window();
  if (window == nullptr || !has_pixels(window) || ::IsHungAppWindow(window)) return std::optional<HWND>();
  const auto painted = await(window, clock_.now() + kPaintsSoon, checkpoint);
  if (!painted && painted.error().code != Code::kDeadlineExceeded) return painted.error();
  return painted && *painted ? std::optional(window) : std::nullopt;
}

Result<bool> InputReceipt::await(HWND window, MonoTime deadline, const Checkpoint& checkpoint) {
  const RECT pixel{0, 0, 1, 1};
  if (!::InvalidateRect(window, &pixel, FALSE)) return false;
  while (::GetUpdateRect(window, nullptr, FALSE)) {
    if (focused_window() != window) return false;
    if (clock_.now() >= deadline) {
      return Error{Code::kDeadlineExceeded, "the application has not read its input in time"};
    }
    std::this_thread::sleep_for(kBetweenLooks);
    RETURN_IF_ERROR(checkpoint());
  }
  return ::IsWindow(window) != 0;
}

}  // namespace da::actuator::win32
