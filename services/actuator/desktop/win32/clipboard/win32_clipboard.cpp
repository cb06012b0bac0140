#include "services/actuator/desktop/win32/clipboard/win32_clipboard.h"

#include <spdlog/spdlog.h>

#include "services/actuator/desktop/win32/base/wide_text.h"
#include "services/actuator/desktop/win32/base/win32_error.h"

namespace da::actuator::win32 {
namespace {

constexpr Milliseconds kStartTime{5'000};
// Limits the delay of a paste by an owner that does not answer, or by a program that keeps the clipboard open. The
// policy gives up after 30 s.
constexpr Milliseconds kOfferTime{12'000};
static_assert(ClipboardWindow::kOwnerAnswers + ClipboardWindow::kPatience + ClipboardWindow::kOwnerRenders +
                  ClipboardWindow::kEmptying <
              kOfferTime);
constexpr Milliseconds kEndTime{3'000};

std::wstring with_windows_newlines(std::string_view text) {
  std::wstring wide;
  for (const wchar_t unit : to_utf16(text)) {
    if (unit == L'\n' && (wide.empty() || wide.back() != L'\r')) wide += L'\r';
    wide += unit;
  }
  return wide;
}

}  // namespace

Result<std::unique_ptr<Win32Clipboard>> Win32Clipboard::open(KeptClipboard kept, const Clock& clock) {
  std::unique_ptr<Win32Clipboard> clipboard(new Win32Clipboard(clock));
  const auto offer = clipboard->offer_;
  clipboard->thread_ = std::thread([offer, kept = std::move(kept), &clock]() mutable {
    ClipboardWindow(offer, std::move(kept), clock).run();
    const std::lock_guard lock(offer->mutex);
    offer->ended = true;
    offer->changed.notify_all();
  });
  std::unique_lock lock(offer->mutex);
  offer->changed.wait_for(lock, kStartTime, [&] { return offer->started.has_value(); });
  if (!offer->started) return Error{Code::kUnavailable, "the thread of the clipboard has not started in time"};
  auto started = *offer->started;
  lock.unlock();
  if (!started) return started.error();
  return clipboard;
}

Win32Clipboard::~Win32Clipboard() {
  if (!thread_.joinable()) return;
  std::unique_lock lock(offer_->mutex);
  offer_->wanted = 0;
  if (offer_->window != nullptr) ::PostMessageW(offer_->window, WM_CLOSE, 0, 0);
  const bool ended = offer_->changed.wait_for(lock, kEndTime, [this] { return offer_->ended; });
  lock.unlock();
  if (ended) {
    thread_.join();
    return;
  }
  spdlog::warn("the program that owns the clipboard does not hand over its content: it is left as it is");
  thread_.detach();
}

Result<void> Win32Clipboard::set_text(std::string_view text) {
  std::unique_lock lock(offer_->mutex);
  offer_->text = with_windows_newlines(text);
  offer_->fetched = false;
  offer_->paste_expected = false;
  const std::uint32_t number = ++number_;
  offer_->wanted = number;
  if (!::PostMessageW(offer_->window, ClipboardWindow::kMakeOffer, number, 0)) {
    return win32_error("ask the thread of the clipboard", ::GetLastError());
  }
  if (offer_->changed.wait_for(lock, kOfferTime, [&] { return offer_->offered == number; })) return offer_->outcome;
  offer_->wanted = 0;
  return Error{Code::kDeadlineExceeded, "the program that owns the clipboard does not hand over its content in time"};
}

Result<void> Win32Clipboard::expect_paste() {
  const std::lock_guard lock(offer_->mutex);
  offer_->paste_expected = true;
  return ok();
}

Result<bool> Win32Clipboard::wait_until_fetched(MonoTime deadline) {
  std::unique_lock lock(offer_->mutex);
  while (!offer_->fetched) {
    const auto left = deadline - clock_.now();
    if (left <= Nanoseconds(0)) break;
    offer_->changed.wait_for(lock, left, [this] { return offer_->fetched; });
  }
  return offer_->fetched;
}

}  // namespace da::actuator::win32
