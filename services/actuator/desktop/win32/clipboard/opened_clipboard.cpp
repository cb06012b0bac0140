#include "services/actuator/desktop/win32/clipboard/opened_clipboard.h"

namespace da::actuator::win32 {
namespace {

// The program that has the clipboard open may itself wait for this thread: for a text to be rendered, or to tell that
// the clipboard was emptied.
void wait_and_answer(Milliseconds time) {
  ::MsgWaitForMultipleObjectsEx(0, nullptr, static_cast<DWORD>(time.count()), QS_SENDMESSAGE, MWMO_INPUTAVAILABLE);
  MSG ignored{};
  ::PeekMessageW(&ignored, nullptr, 0, 0, PM_NOREMOVE | PM_QS_SENDMESSAGE);
}

}  // namespace

Result<OpenedClipboard> OpenedClipboard::open(HWND window, Milliseconds patience, const Clock& clock) {
  constexpr Milliseconds kBetweenTries{20};
  constexpr int kFewestTries = 10;  // A busy machine may use up the time between two of them.
  const MonoTime deadline = clock.now() + patience;
  for (int tries = 1; !::OpenClipboard(window); ++tries) {
    if (tries >= kFewestTries && clock.now() >= deadline) {
      return Error{Code::kUnavailable, "another program keeps the clipboard open: close it, or type the text instead"};
    }
    wait_and_answer(kBetweenTries);
  }
  return OpenedClipboard();
}

}  // namespace da::actuator::win32
