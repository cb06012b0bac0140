#include "services/actuator/desktop/win32/input/win32_person_watch.h"

#include <spdlog/spdlog.h>

#include "services/actuator/desktop/win32/applications/win32_process.h"
#include "services/actuator/desktop/win32/base/win32_error.h"

namespace da::actuator::win32 {
namespace {

constexpr int kHotKeyId = 1;
constexpr UINT kInstallAgain = WM_APP;  // Posted to the thread "person hooks".
constexpr Milliseconds kHooksStart{5'000};
// A hot key arrives after the hooks have seen its keys.
constexpr Milliseconds kHotKeyDelay{1'000};

// The object that the hooks report to.
std::atomic<Win32PersonWatch*> the_watch = nullptr;

}  // namespace

Result<std::unique_ptr<Win32PersonWatch>> Win32PersonWatch::open(std::uintptr_t mark, const Clock& clock) {
  std::unique_ptr<Win32PersonWatch> watch(new Win32PersonWatch(mark, clock));
  Win32PersonWatch* none = nullptr;
  if (!the_watch.compare_exchange_strong(none, watch.get())) {
    return Error{Code::kFailedPrecondition, "this process watches for a person's input already"};
  }
  RETURN_IF_ERROR(watch->start());
  return watch;
}

Result<void> Win32PersonWatch::start() {
  hook_thread_ = std::thread([this] { run_hooks(); });
  RETURN_IF_ERROR(wait_for_hooks());
  report_thread_ = std::thread([this] { report(); });
  return ok();
}

Result<void> Win32PersonWatch::wait_for_hooks() {
  std::unique_lock lock(taking_);
  if (!changed_.wait_for(lock, kHooksStart, [this] { return hooks_installed_.has_value(); })) {
    return Error{Code::kUnavailable, "watch for a person's input: the hooks were not installed in time"};
  }
  return *hooks_installed_;
}

Win32PersonWatch::~Win32PersonWatch() {
  {
    const std::lock_guard lock(taking_);
    ends_ = true;
  }
  changed_.notify_all();
  if (const DWORD thread = hook_thread_id_) ::PostThreadMessageW(thread, WM_QUIT, 0, 0);
  if (hook_thread_.joinable()) hook_thread_.join();
  if (report_thread_.joinable()) report_thread_.join();
  Win32PersonWatch* self = this;
  the_watch.compare_exchange_strong(self, nullptr);
}

void Win32PersonWatch::run_hooks() {
  MSG message{};
  ::PeekMessageW(&message, nullptr, WM_USER, WM_USER, PM_NOREMOVE);  // Creates the queue of this thread.
  hook_thread_id_ = ::GetCurrentThreadId();
  // Windows waits for these hooks before it delivers any input.
  ::SetThreadPriority(::GetCurrentThread(), THREAD_PRIORITY_TIME_CRITICAL);
  if (POINT now{}; ::GetCursorPos(&now)) {
    const std::lock_guard lock(taking_);
    pointer_ = now;
  }
  Result<void> installed = install_hooks();
  const UniqueWinEventHook desktop_switch(::SetWinEventHook(EVENT_SYSTEM_DESKTOPSWITCH, EVENT_SYSTEM_DESKTOPSWITCH,
                                                            nullptr, on_desktop_switch, 0, 0, WINEVENT_OUTOFCONTEXT));
  has_hot_key_ = ::RegisterHotKey(nullptr, kHotKeyId, MOD_CONTROL | MOD_SHIFT, VK_ESCAPE) != 0;
  if (!has_hot_key_) spdlog::info("Ctrl+Shift+Esc is not registered as a hot key: only the hooks detect it");
  const bool runs = installed.has_value();
  {
    const std::lock_guard lock(taking_);
    hooks_installed_ = std::move(installed);
  }
  changed_.notify_all();
  while (runs && ::GetMessageW(&message, nullptr, 0, 0) > 0) {
    if (message.message == WM_HOTKEY) hot_key();
    if (message.message == kInstallAgain) {
      if (const auto again = install_hooks(); !again) spdlog::error("{}", again.error().message);
    }
    ::DispatchMessageW(&message);
  }
  keyboard_hook_.reset();
  mouse_hook_.reset();
  if (has_hot_key_) ::UnregisterHotKey(nullptr, kHotKeyId);
}

Result<void> Win32PersonWatch::install_hooks() {
  const HINSTANCE program = ::GetModuleHandleW(nullptr);
  keyboard_hook_ = UniqueHook(::SetWindowsHookExW(WH_KEYBOARD_LL, on_keyboard, program, 0));
  mouse_hook_ = UniqueHook(keyboard_hook_ ? ::SetWindowsHookExW(WH_MOUSE_LL, on_mouse, program, 0) : nullptr);
  if (!keyboard_hook_ || !mouse_hook_) {
    Error error = win32_error("watch for a person's input: install the hooks", ::GetLastError());
    error.code = Code::kUnavailable;
    return error;
  }
  const std::lock_guard lock(taking_);
  missed_.seen(::GetTickCount());
  return ok();
}

std::optional<std::string> Win32PersonWatch::blindness() {
  DWORD pid = 0;
  ::GetWindowThreadProcessId(::GetForegroundWindow(), &pid);
  if (pid != 0 && reach_of(pid) == Reach::kHigherIntegrity) {
    return "the active window belongs to a program with more rights than the actuator, and Windows hides input to it";
  }
  LASTINPUTINFO last{};
  last.cbSize = sizeof last;
  if (!::GetLastInputInfo(&last)) return std::nullopt;
  const std::lock_guard lock(taking_);
  if (!missed_.look(last.dwTime, ::GetTickCount())) return std::nullopt;
  add_news(PersonInput::kMouse);
  ::PostThreadMessageW(hook_thread_id_, kInstallAgain, 0, 0);
  return "an input came that Windows did not report; the watch is being renewed";
}

LRESULT CALLBACK Win32PersonWatch::on_keyboard(int code, WPARAM message, LPARAM event) {
  Win32PersonWatch* watch = the_watch;
  if (code == HC_ACTION && watch != nullptr) watch->key(*reinterpret_cast<const KBDLLHOOKSTRUCT*>(event));
  return ::CallNextHookEx(nullptr, code, message, event);
}

LRESULT CALLBACK Win32PersonWatch::on_mouse(int code, WPARAM message, LPARAM event) {
  Win32PersonWatch* watch = the_watch;
  const bool discard =
      code == HC_ACTION && watch != nullptr && watch->mouse(message, *reinterpret_cast<const MSLLHOOKSTRUCT*>(event));
  if (discard) return 1;
  return ::CallNextHookEx(nullptr, code, message, event);
}

void CALLBACK Win32PersonWatch::on_desktop_switch(HWINEVENTHOOK, DWORD, HWND, LONG, LONG, DWORD, DWORD) {
  Win32PersonWatch* watch = the_watch;
  if (watch == nullptr) return;
  const std::lock_guard lock(watch->taking_);
  watch->chord_.forget();
}

void Win32PersonWatch::key(const KBDLLHOOKSTRUCT& event) {
  const std::lock_guard lock(taking_);
  missed_.seen(::GetTickCount());
  const bool down = (event.flags & LLKHF_UP) == 0;
  if (event.dwExtraInfo == mark_) {
    if (down && event.vkCode == VK_ESCAPE) own_escape_ = clock_.now();
    return;
  }
  if (!down) {
    chord_.release(event.vkCode);
    return;
  }
  add_news(chord_.press(event.vkCode) ? PersonInput::kKillSwitch : PersonInput::kKeyboard);
}

// Windows and Wine also report moves that move nothing, for example after a window has appeared under the pointer.
bool Win32PersonWatch::mouse(WPARAM message, const MSLLHOOKSTRUCT& event) {
  const std::lock_guard lock(taking_);
  missed_.seen(::GetTickCount());
  if (message == WM_MOUSEMOVE && event.dwExtraInfo != mark_ && pointer_held_) return true;
  const bool stands = pointer_ && pointer_->x == event.pt.x && pointer_->y == event.pt.y;
  pointer_ = event.pt;
  if (event.dwExtraInfo == mark_ || (message == WM_MOUSEMOVE && stands)) return false;
  const bool release =
      message == WM_LBUTTONUP || message == WM_RBUTTONUP || message == WM_MBUTTONUP || message == WM_XBUTTONUP;
  if (!release) add_news(PersonInput::kMouse);
  return false;
}

void Win32PersonWatch::hot_key() {
  const std::lock_guard lock(taking_);
  const MonoTime now = clock_.now();
  const auto is_recent = [now](MonoTime time) { return time != MonoTime() && now - time < kHotKeyDelay; };
  if (!is_recent(own_escape_) && !is_recent(kill_switch_)) add_news(PersonInput::kKillSwitch);
}

// The caller holds taking_.
void Win32PersonWatch::add_news(PersonInput input) {
  if (input == PersonInput::kKillSwitch) kill_switch_ = clock_.now();
  if (!watched_) return;
  // A moving mouse sends hundreds of events: one that waits for its report is enough. The first may be in delivery.
  if (input == PersonInput::kMouse && news_.size() > 1 && news_.back() == input) return;
  news_.push_back(input);
  changed_.notify_all();
}

bool Win32PersonWatch::has_news() {
  const std::lock_guard lock(taking_);
  return watched_ && !news_.empty();
}

void Win32PersonWatch::watch(Notice notice) {
  const std::lock_guard telling(telling_);
  watched_ = notice != nullptr;
  notice_ = std::move(notice);
  const std::lock_guard lock(taking_);
  if (!watched_) news_.clear();
}

// An input stays in news_ until notice_ has returned.
void Win32PersonWatch::look() {
  const std::lock_guard telling(telling_);
  for (;;) {
    PersonInput next{};
    {
      const std::lock_guard lock(taking_);
      if (!notice_) news_.clear();
      if (news_.empty()) return;
      next = news_.front();
    }
    notice_(next);
    const std::lock_guard lock(taking_);
    news_.pop_front();
  }
}

void Win32PersonWatch::report() {
  for (;;) {
    {
      std::unique_lock lock(taking_);
      changed_.wait(lock, [this] { return ends_ || !news_.empty(); });
      if (ends_) return;
    }
    look();
  }
}

}  // namespace da::actuator::win32
