// The hidden window that owns the clipboard, and what it does there. Lives on the thread "clipboard" alone, which
// shares an Offer with Win32Clipboard.
//
// The thread may hang while another program does: Windows waits up to 30 s for an owner that renders a format only when
// it is asked (Wine: without a limit), and the clipboard stays open meanwhile. So nobody waits for the thread without a
// limit. Source: "How can I wait more than 30 seconds for a delay-rendered clipboard format to become rendered?",
// devblogs.microsoft.com/oldnewthing, 2022-06-09.
#pragma once

#include <windows.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/actuator/desktop/win32/clipboard/kept_clipboard.h"

namespace da::actuator::win32 {

// What Win32Clipboard asks of the thread, and what became of it. `mutex` guards all.
struct Offer {
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<Result<void>> started;
  HWND window = nullptr;  // Set before `started`.
  std::wstring text;
  std::uint32_t wanted = 0;   // Number of the offer to make; 0: none, because its caller has given up.
  std::uint32_t offered = 0;  // Number of the last offer that was made or failed.
  Result<void> outcome;       // Result of offer `offered`.
  bool fetched = false;
  bool paste_expected = false;
  bool ended = false;
};

class ClipboardWindow {
 public:
  ClipboardWindow(std::shared_ptr<Offer> offer, KeptClipboard kept, const Clock& clock)
      : offer_(std::move(offer)), kept_(std::move(kept)), clock_(clock) {}

  // Returns when the window has got WM_CLOSE, and has restored the previous content.
  void run();

  // An offer takes at most the time of all these together, unless the owner needs longer for a single format.
  static constexpr Milliseconds kOwnerAnswers{3'000};  // Time for an owner to answer any message at all.
  static constexpr Milliseconds kPatience{1'000};      // Time for other programs to close the clipboard.
  static constexpr Milliseconds kOwnerRenders{2'000};  // Time for all formats together.
  static constexpr Milliseconds kEmptying{5'000};      // Wine's EmptyClipboard() waits for an owner that hangs.

  // Posted to the window: makes the offer with the number in WPARAM.
  static constexpr UINT kMakeOffer = WM_APP;

 private:
  static LRESULT CALLBACK on_message(HWND window, UINT message, WPARAM first, LPARAM second);
  LRESULT handle(HWND window, UINT message, WPARAM first, LPARAM second);
  void make_offer(std::uint32_t number);
  Result<void> offer(std::uint32_t number);
  void keep_content(bool owner_hangs);
  std::optional<std::wstring> wanted_text(std::uint32_t number);
  void render();
  void render_before_end();
  bool text_may_be_fetched_later();
  void restore();

  const std::shared_ptr<Offer> offer_;
  KeptClipboard kept_;
  const Clock& clock_;
  HWND window_ = nullptr;
  std::uint32_t number_ = 0;  // Number of the offer that is on the clipboard.
  std::wstring text_;         // The text of that offer.
  bool restored_ = false;
};

}  // namespace da::actuator::win32
