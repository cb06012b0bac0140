#include "services/actuator/desktop/win32/ui_tree/window_question.h"

#include <algorithm>

namespace da::actuator::win32 {

std::optional<LRESULT> WindowQuestion::ask(HWND window, UINT message, WPARAM first, LPARAM second) {
  const auto left = std::chrono::duration_cast<Milliseconds>(deadline_ - clock_.now());
  const auto patience = std::min<Milliseconds>(left, kLongest).count();
  if (silent_ || patience <= 0) return std::nullopt;
  DWORD_PTR answer = 0;
  ::SetLastError(ERROR_SUCCESS);
  if (!::SendMessageTimeoutW(window, message, first, second, SMTO_ABORTIFHUNG, static_cast<UINT>(patience), &answer)) {
    // A window that is gone is not silent.
    silent_ = ::IsWindow(window) != 0 && ::GetLastError() != ERROR_INVALID_WINDOW_HANDLE;
    return std::nullopt;
  }
  return static_cast<LRESULT>(answer);
}

std::optional<std::wstring> WindowQuestion::text(HWND window, std::size_t limit) {
  std::wstring text(limit + 1, L'\0');
  const auto length = ask(window, WM_GETTEXT, text.size(), reinterpret_cast<LPARAM>(text.data()));
  if (!length) return std::nullopt;
  text.resize(std::min<std::size_t>(static_cast<std::size_t>(std::max<LRESULT>(*length, 0)), limit));
  return text;
}

}  // namespace da::actuator::win32
