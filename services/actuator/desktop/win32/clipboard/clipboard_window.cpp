#include "services/actuator/desktop/win32/clipboard/clipboard_window.h"

#include <spdlog/spdlog.h>

#include "lib/os/fault_point/fault_point.h"
#include "services/actuator/desktop/win32/base/win32_error.h"
#include "services/actuator/desktop/win32/clipboard/opened_clipboard.h"

namespace da::actuator::win32 {
namespace {

constexpr wchar_t kWindowClass[] = L"DesktopAssistClipboard";
// Holds pictures of several large monitors.
constexpr std::size_t kMostKept = std::size_t{256} << 20;

bool put_text(const std::wstring& text) {
  return put_item(CF_UNICODETEXT, std::as_bytes(std::span(text.c_str(), text.size() + 1)));
}

// The formats by which a program asks clipboard histories and monitors to ignore its content.
// Source: "Clipboard Formats", section "Cloud Clipboard and Clipboard History Formats", of Microsoft's documentation.
void keep_out_of_history() {
  constexpr DWORD kNo = 0;
  for (const wchar_t* name : {L"ExcludeClipboardContentFromMonitorProcessing", L"CanIncludeInClipboardHistory",
                              L"CanUploadToCloudClipboard"}) {
    (void)put_item(::RegisterClipboardFormatW(name), std::as_bytes(std::span(&kNo, 1)));
  }
}

// IsHungAppWindow() notices a hung program only after 5 s. SMTO_ABORTIFHUNG gives up at once on a thread that has read
// no messages for 5 s: but a program that copies by a window which it destroys right afterwards never reads any. A
// window that is gone has rendered its content.
bool hangs(HWND window) {
  DWORD_PTR ignored = 0;
  return ::SendMessageTimeoutW(window, WM_NULL, 0, 0, SMTO_NORMAL,
                               static_cast<UINT>(ClipboardWindow::kOwnerAnswers.count()), &ignored) == 0 &&
         ::IsWindow(window);
}

// The process that has opened the clipboard to read it; 0 when it named no window.
DWORD reader() {
  DWORD pid = 0;
  ::GetWindowThreadProcessId(::GetOpenClipboardWindow(), &pid);
  return pid;
}

DWORD foreground_process() {
  DWORD pid = 0;
  ::GetWindowThreadProcessId(::GetForegroundWindow(), &pid);
  return pid;
}

}  // namespace

void ClipboardWindow::run() {
  const HINSTANCE program = ::GetModuleHandleW(nullptr);
  WNDCLASSEXW window_class{};
  window_class.cbSize = sizeof window_class;
  window_class.lpfnWndProc = on_message;
  window_class.hInstance = program;
  window_class.lpszClassName = kWindowClass;
  ::RegisterClassExW(&window_class);  // Fails when an earlier object has registered it, which is fine.
  window_ = ::CreateWindowExW(0, kWindowClass, L"", 0, 0, 0, 0, 0, HWND_MESSAGE, nullptr, program, this);
  {
    const std::lock_guard lock(offer_->mutex);
    offer_->window = window_;
    offer_->started = window_ != nullptr
                          ? Result<void>()
                          : Result<void>(win32_error("create the window of the clipboard", ::GetLastError()));
  }
  offer_->changed.notify_all();
  MSG message{};
  while (window_ != nullptr && ::GetMessageW(&message, nullptr, 0, 0) > 0) ::DispatchMessageW(&message);
}

LRESULT CALLBACK ClipboardWindow::on_message(HWND window, UINT message, WPARAM first, LPARAM second) {
  if (message == WM_NCCREATE) {
    const auto& creation = *reinterpret_cast<const CREATESTRUCTW*>(second);
    ::SetWindowLongPtrW(window, GWLP_USERDATA, reinterpret_cast<LONG_PTR>(creation.lpCreateParams));
  }
  auto* clipboard = reinterpret_cast<ClipboardWindow*>(::GetWindowLongPtrW(window, GWLP_USERDATA));
  return clipboard != nullptr ? clipboard->handle(window, message, first, second)
                              : ::DefWindowProcW(window, message, first, second);
}

LRESULT ClipboardWindow::handle(HWND window, UINT message, WPARAM first, LPARAM second) {
  switch (message) {
    case kMakeOffer: make_offer(static_cast<std::uint32_t>(first)); return 0;
    case WM_RENDERFORMAT:
      if (first == CF_UNICODETEXT) render();
      return 0;
    case WM_RENDERALLFORMATS: render_before_end(); return 0;
    case WM_CLOSE:
      restore();
      ::DestroyWindow(window);
      return 0;
    case WM_DESTROY: ::PostQuitMessage(0); return 0;
    default: return ::DefWindowProcW(window, message, first, second);
  }
}

void ClipboardWindow::make_offer(std::uint32_t number) {
  auto outcome = offer(number);
  {
    const std::lock_guard lock(offer_->mutex);
    offer_->offered = number;
    offer_->outcome = std::move(outcome);
  }
  offer_->changed.notify_all();
}

std::optional<std::wstring> ClipboardWindow::wanted_text(std::uint32_t number) {
  const std::lock_guard lock(offer_->mutex);
  return offer_->wanted == number ? std::optional(offer_->text) : std::nullopt;
}

// Asks the owner before it opens the clipboard, which other programs can use meanwhile. Content that we offer ourselves
// is not kept: the content that it replaced is kept already.
Result<void> ClipboardWindow::offer(std::uint32_t number) {
  const HWND asked = ::GetClipboardOwner();
  const bool hung = asked != nullptr && asked != window_ && hangs(asked);
  ASSIGN_OR_RETURN(const auto open, OpenedClipboard::open(window_, kPatience, clock_));
  if (const HWND owner = ::GetClipboardOwner(); owner != window_) keep_content(hung && owner == asked);
  auto text = wanted_text(number);
  if (!text) return Error{Code::kCancelled, "the caller has given up"};
  DA_FAULT_POINT("actuator.clipboard_kept");
  kept_.begin_exchange();
  if (!::EmptyClipboard()) return win32_error("empty the clipboard", ::GetLastError());
  DA_FAULT_POINT("actuator.clipboard_emptied");
  number_ = number;
  text_ = *std::move(text);
  (void)kept_.mark_offer();
  DA_FAULT_POINT("actuator.clipboard_marked");
  ::SetClipboardData(CF_UNICODETEXT, nullptr);  // Null: rendered when someone asks.
  keep_out_of_history();
  kept_.end_exchange();
  DA_FAULT_POINT("actuator.clipboard_offered");
  return ok();
}

void ClipboardWindow::keep_content(bool owner_hangs) {
  if (owner_hangs) {
    kept_.forget();
    spdlog::warn(
        "the previous content of the clipboard will not be restored: the program that owns it does not answer");
    return;
  }
  // A clipboard manager has copied our offer: the content that it replaced is kept already.
  if (kept_.offer_is_there()) return;
  kept_.forget();
  // Left by an actuator that was killed without a guardian: it may be a secret.
  if (::IsClipboardFormatAvailable(offer_format())) return;
  const ClipboardContent content = list_clipboard(kMostKept, kOwnerRenders, clock_);
  if (content.left_out > 0) {
    spdlog::warn(
        "{} formats of the clipboard's content will not be restored: more than {} MB together, or its owner "
        "does not hand them over in {} ms",
        content.left_out, kMostKept >> 20, kOwnerRenders.count());
  }
  if (const auto kept = kept_.keep(content); !kept) {
    spdlog::warn("the previous content of the clipboard will not be restored: {}", kept.error().message);
  }
  if (const auto shared = kept_.share(); !shared) {
    spdlog::warn("the previous content of the clipboard will be lost if this process is killed: {}",
                 shared.error().message);
  }
}

void ClipboardWindow::render() {
  const DWORD asks = reader();
  (void)put_text(text_);
  const std::lock_guard lock(offer_->mutex);
  if (offer_->wanted != number_) return;
  offer_->fetched |= asks == 0 || asks == foreground_process();
  offer_->changed.notify_all();
}

// Sent when the window is destroyed while it owns the clipboard. Wine sends it even when nothing is delayed any more.
void ClipboardWindow::render_before_end() {
  if (restored_) return;
  const auto open = OpenedClipboard::open(window_, kPatience, clock_);
  if (open && ::GetClipboardOwner() == window_) (void)put_text(text_);
}

bool ClipboardWindow::text_may_be_fetched_later() {
  const std::lock_guard lock(offer_->mutex);
  return offer_->paste_expected && !offer_->fetched;
}

void ClipboardWindow::restore() {
  if (::GetClipboardOwner() != window_) return kept_.forget();
  const auto open = OpenedClipboard::open(window_, kPatience, clock_);
  if (!open) {
    spdlog::warn("restore the clipboard: {}", open.error().message);
    return;
  }
  if (::GetClipboardOwner() == window_ && text_may_be_fetched_later()) {
    (void)put_text(text_);
    restored_ = true;
  } else if (::GetClipboardOwner() == window_) {
    kept_.begin_restoring();
    DA_FAULT_POINT("actuator.clipboard_restoring");
    kept_.put_back();
    restored_ = true;
  }
  kept_.forget();
}

}  // namespace da::actuator::win32
