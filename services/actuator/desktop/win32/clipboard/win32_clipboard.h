// Offers text on the clipboard and learns when an application takes it.
//
// The text is rendered only when someone asks for it (WM_RENDERFORMAT). Clipboard histories and cloud copies are asked
// to ignore it, and a request of a process other than that of the foreground window does not count as fetched. What was
// on the clipboard before is kept (KeptClipboard), and put back when this object is destroyed, or by the guardian when
// the process is killed, unless something else was copied since. If a paste was expected and nobody has fetched the
// text, the text stays instead when this object is destroyed: an application that is busy may fetch it later.
//
// Owns the thread "clipboard", which it abandons at its end if another program's window keeps the thread waiting. One
// thread at a time. Errors: kUnavailable (another program keeps the clipboard open), kDeadlineExceeded (the previous
// owner does not hand over its content).
#pragma once

#include <memory>
#include <thread>

#include "services/actuator/desktop/roles/clipboard.h"
#include "services/actuator/desktop/win32/clipboard/clipboard_window.h"

namespace da::actuator::win32 {

class Win32Clipboard final : public Clipboard {
 public:
  static Result<std::unique_ptr<Win32Clipboard>> open(KeptClipboard kept, const Clock& clock);
  ~Win32Clipboard() override;
  Win32Clipboard(const Win32Clipboard&) = delete;
  Win32Clipboard& operator=(const Win32Clipboard&) = delete;

  // A newline becomes a carriage return and a newline, as on Windows.
  Result<void> set_text(std::string_view text) override;
  Result<void> expect_paste() override;
  Result<bool> wait_until_fetched(MonoTime deadline) override;

 private:
  explicit Win32Clipboard(const Clock& clock) : clock_(clock) {}

  const Clock& clock_;
  const std::shared_ptr<Offer> offer_ = std::make_shared<Offer>();
  std::uint32_t number_ = 0;  // Number of the last set_text().
  std::thread thread_;
};

}  // namespace da::actuator::win32
