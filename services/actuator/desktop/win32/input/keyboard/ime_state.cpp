#include "services/actuator/desktop/win32/input/keyboard/ime_state.h"

#include <imm.h>

#include <optional>

namespace da::actuator::win32 {
namespace {

constexpr UINT kAnswerMs = 100;
// Submessages of WM_IME_CONTROL, which headers name only for drivers.
constexpr WPARAM kGetConversionMode = 0x0001;
constexpr WPARAM kGetOpenStatus = 0x0005;

// nullopt when the application does not answer.
std::optional<DWORD_PTR> ask(HWND ime_window, WPARAM what) {
  DWORD_PTR answer = 0;
  const bool answered = ::SendMessageTimeoutW(ime_window, WM_IME_CONTROL, what, 0, SMTO_ABORTIFHUNG | SMTO_BLOCK,
                                              kAnswerMs, &answer) != 0;
  return answered ? std::optional(answer) : std::nullopt;
}

}  // namespace

ImeState ime_state(HWND focus) {
  const HWND ime_window = focus == nullptr ? nullptr : ::ImmGetDefaultIMEWnd(focus);
  return ime_window == nullptr ? ImeState::kNone : ask_ime_window(ime_window);
}

ImeState ask_ime_window(HWND ime_window) {
  const auto open = ask(ime_window, kGetOpenStatus);
  if (open && *open == 0) return ImeState::kNone;
  const auto mode = open ? ask(ime_window, kGetConversionMode) : std::nullopt;
  if (mode && (*mode & IME_CMODE_NATIVE) == 0) return ImeState::kNone;
  return ImeState::kComposes;
}

}  // namespace da::actuator::win32
