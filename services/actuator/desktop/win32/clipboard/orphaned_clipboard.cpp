#include "services/actuator/desktop/win32/clipboard/orphaned_clipboard.h"

#include "services/actuator/desktop/win32/base/win32_error.h"
#include "services/actuator/desktop/win32/clipboard/opened_clipboard.h"

namespace da::actuator::win32 {
namespace {

// Nobody waits for it.
constexpr Milliseconds kPatience{30'000};

struct WindowTraits {
  using Handle = HWND;
  static constexpr Handle kInvalid = nullptr;
  static void close(Handle handle) { ::DestroyWindow(handle); }
};

}  // namespace

Result<void> restore_orphaned_clipboard(const KeptClipboard& kept, DWORD actuator) {
  // The clipboard keeps the content after this window is gone, because none of it is rendered later.
  const os::UniqueHandle<WindowTraits> window(
      ::CreateWindowExW(0, L"Static", L"", 0, 0, 0, 0, 0, HWND_MESSAGE, nullptr, ::GetModuleHandleW(nullptr), nullptr));
  if (!window) return win32_error("create a window to open the clipboard", ::GetLastError());
  ASSIGN_OR_RETURN(const auto open, OpenedClipboard::open(window.get(), kPatience, system_clock()));
  if (kept.is_still_of(actuator)) kept.put_back();
  return ok();
}

}  // namespace da::actuator::win32
