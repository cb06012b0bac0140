// Notices an input method editor (IME) for Chinese, Japanese, Korean and other scripts: while it is open in its native
// mode, it takes the keys of letters for its composition. Any thread.
#pragma once

#include <windows.h>

namespace da::actuator::win32 {

enum class ImeState {
  kNone,      // No IME, or one that lets all keys through.
  kComposes,  // Keys of letters begin a composition. Also when the IME does not answer.
};

// Returns the state for the window with the keyboard focus. Waits at most 200 ms for its application.
ImeState ime_state(HWND focus);

// Asks the IME's own window of the application (ImmGetDefaultIMEWnd), with the same limit.
ImeState ask_ime_window(HWND ime_window);

}  // namespace da::actuator::win32
