#include "services/actuator/desktop/win32/clipboard/win32_clipboard.h"

#include <spdlog/spdlog.h>

#include "services/actuator/desktop/win32/base/wide_text.h"
#include "services/actuator/desktop/win32/base/win32_error.h"

namespace da::actuator::win32 {
namespace {

constexpr wchar_t kWindowClass[] = L"DesktopAssistClipboard";
constexpr UINT kOfferText = WM_APP;
// Limits the delay of a paste by an owner that does not answer, or by a program that keeps the clipboard open.
constexpr Milliseconds kOfferTime{3'000};
constexpr Milliseconds kStartTime{5'000};
constexpr int kTries = 50;
constexpr DWORD kBetweenTriesMs = 20;
constexpr std::size_t kMostSaved = std::size_t{64} << 20;

std::wstring with_windows_newlines(std::string_view text) {
  std::wstring wide;
  for (const wchar_t unit : to_utf16(text)) {
    if (unit == L'\n' && (wide.empty() || wide.back() != L'\r')) wide += L'\r';
    wide += unit;
  }
  return wide;
}

// Closes the clipboard that this thread has opened.
struct OpenClipboardScope {
  OpenClipboardScope() = default;
  ~OpenClipboardScope() { ::CloseClipboard(); }
  OpenClipboardScope(const OpenClipboardScope&) = delete;
  OpenClipboardScope& operator=(const OpenClipboardScope&) = delete;
};

HGLOBAL unicode_text(const std::wstring& text) {
  return global_copy(text.c_str(), (text.size() + 1) * sizeof(wchar_t));
}

// The formats by which a program asks clipboard histories and monitors to ignore its content.
// Source: "Clipboard Formats", section "Cloud Clipboard and Clipboard History Formats", of Microsoft's documentation.
void keep_out_of_history() {
  for (const wchar_t* name : {L"ExcludeClipboardContentFromMonitorProcessing", L"CanIncludeInClipboardHistory",
                              L"CanUploadToCloudClipboard"}) {
    const DWORD no = 0;
    if (const HGLOBAL memory = global_copy(&no, sizeof no))
      ::SetClipboardData(::RegisterClipboardFormatW(name), memory);
  }
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

Result<std::unique_ptr<Win32Clipboard>> Win32Clipboard::open(const Clock& clock) {
  std::unique_ptr<Win32Clipboard> clipboard(new Win32Clipboard(clock));
  clipboard->thread_ = std::thread([raw = clipboard.get()] { raw->run(); });
  std::unique_lock lock(clipboard->mutex_);
  clipboard->changed_.wait_for(lock, kStartTime, [&] { return clipboard->started_.has_value(); });
  if (!clipboard->started_) return Error{Code::kUnavailable, "the thread of the clipboard has not started in time"};
  auto started = *clipboard->started_;
  lock.unlock();
  if (!started) return started.error();
  return clipboard;
}

Win32Clipboard::~Win32Clipboard() {
  if (window_ != nullptr) ::PostMessageW(window_, WM_CLOSE, 0, 0);
  if (thread_.joinable()) thread_.join();
}

void Win32Clipboard::run() {
  const HINSTANCE program = ::GetModuleHandleW(nullptr);
  WNDCLASSEXW window_class{};
  window_class.cbSize = sizeof window_class;
  window_class.lpfnWndProc = on_message;
  window_class.hInstance = program;
  window_class.lpszClassName = kWindowClass;
  ::RegisterClassExW(&window_class);  // Fails when an earlier object has registered it, which is fine.
  window_ = ::CreateWindowExW(0, kWindowClass, L"", 0, 0, 0, 0, 0, HWND_MESSAGE, nullptr, program, this);
  {
    const std::lock_guard lock(mutex_);
    started_ = window_ != nullptr ? Result<void>()
                                  : Result<void>(win32_error("create the window of the clipboard", ::GetLastError()));
  }
  changed_.notify_all();
  if (window_ == nullptr) return;
  MSG message{};
  while (::GetMessageW(&message, nullptr, 0, 0) > 0) ::DispatchMessageW(&message);
}

LRESULT CALLBACK Win32Clipboard::on_message(HWND window, UINT message, WPARAM first, LPARAM second) {
  if (message == WM_NCCREATE) {
    const auto& creation = *reinterpret_cast<const CREATESTRUCTW*>(second);
    ::SetWindowLongPtrW(window, GWLP_USERDATA, reinterpret_cast<LONG_PTR>(creation.lpCreateParams));
  }
  auto* clipboard = reinterpret_cast<Win32Clipboard*>(::GetWindowLongPtrW(window, GWLP_USERDATA));
  return clipboard != nullptr ? clipboard->handle(window, message, first, second)
                              : ::DefWindowProcW(window, message, first, second);
}

LRESULT Win32Clipboard::handle(HWND window, UINT message, WPARAM first, LPARAM second) {
  switch (message) {
    case kOfferText: {
      const auto number = static_cast<std::uint32_t>(first);
      auto outcome = offer();
      {
        const std::lock_guard lock(mutex_);
        offered_ = number;
        outcome_ = std::move(outcome);
      }
      changed_.notify_all();
      return 0;
    }
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

// Another program may have it open for a moment.
bool Win32Clipboard::open_clipboard() {
  for (int attempt = 0; attempt < kTries; ++attempt) {
    if (::OpenClipboard(window_)) return true;
    ::Sleep(kBetweenTriesMs);
  }
  return false;
}

// Content that we offer ourselves is not saved: the content that it replaced is saved already.
Result<void> Win32Clipboard::offer() {
  if (!open_clipboard()) {
    return Error{Code::kUnavailable, "another program keeps the clipboard open: close it, or type the text instead"};
  }
  const OpenClipboardScope open;
  const HWND owner = ::GetClipboardOwner();
  if (owner != window_) {
    const bool answers = owner == nullptr || !::IsHungAppWindow(owner);
    saved_ = answers ? read_clipboard(kMostSaved) : ClipboardContent();
    if (!answers) spdlog::warn("the previous content of the clipboard will not be restored: its owner hangs");
  }
  if (!::EmptyClipboard()) return win32_error("empty the clipboard", ::GetLastError());
  ::SetClipboardData(CF_UNICODETEXT, nullptr);  // Null: rendered when someone asks.
  keep_out_of_history();
  return ok();
}

void Win32Clipboard::render() {
  const DWORD asks = reader();
  const std::lock_guard lock(mutex_);
  if (const HGLOBAL memory = unicode_text(text_)) ::SetClipboardData(CF_UNICODETEXT, memory);
  fetched_ |= asks == 0 || asks == foreground_process();
  changed_.notify_all();
}

// Sent when the window is destroyed while it owns the clipboard. Wine sends it even when nothing is delayed any more.
void Win32Clipboard::render_before_end() {
  if (restored_ || !open_clipboard()) return;
  const OpenClipboardScope open;
  if (::GetClipboardOwner() != window_) return;
  const std::lock_guard lock(mutex_);
  if (const HGLOBAL memory = unicode_text(text_)) ::SetClipboardData(CF_UNICODETEXT, memory);
}

void Win32Clipboard::restore() {
  if (::GetClipboardOwner() != window_ || !open_clipboard()) return;
  const OpenClipboardScope open;
  if (::GetClipboardOwner() != window_ || !::EmptyClipboard()) return;
  write_clipboard(saved_);
  restored_ = true;
}

Result<void> Win32Clipboard::set_text(std::string_view text) {
  std::unique_lock lock(mutex_);
  text_ = with_windows_newlines(text);
  fetched_ = false;
  const std::uint32_t number = ++offer_;
  if (!::PostMessageW(window_, kOfferText, number, 0)) {
    return win32_error("ask the thread of the clipboard", ::GetLastError());
  }
  if (!changed_.wait_for(lock, kOfferTime, [&] { return offered_ == number; })) {
    return Error{Code::kDeadlineExceeded, "the program that owns the clipboard does not hand over its content in time"};
  }
  return outcome_;
}

Result<bool> Win32Clipboard::wait_until_fetched(MonoTime deadline) {
  std::unique_lock lock(mutex_);
  while (!fetched_) {
    const auto left = deadline - clock_.now();
    if (left <= Nanoseconds(0)) break;
    changed_.wait_for(lock, left, [this] { return fetched_; });
  }
  return fetched_;
}

}  // namespace da::actuator::win32
