#include "services/actuator/desktop/win32/windows/win32_windows.h"

#include <algorithm>
#include <thread>

#include "services/actuator/desktop/win32/applications/win32_process.h"
#include "services/actuator/desktop/win32/base/win32_error.h"
#include "services/actuator/desktop/win32/windows/window_facts.h"

namespace da::actuator::win32 {
namespace {

constexpr Milliseconds kBetweenLooks{5};
// A program that wants to ask about unsaved work, or that hangs, is killed then.
constexpr Milliseconds kTimeToClose{2'000};

Result<HWND> existing(const std::string& id) {
  const auto window = window_of_id(id);
  // A window that is being destroyed is hidden first.
  if (window && ::IsWindowVisible(*window) && ::GetAncestor(*window, GA_ROOT) == *window) return *window;
  return Error{Code::kNotFound, "the window is gone"};
}

Result<void> check_reach(HWND window) {
  if (reach_of(pid_of(window)) == Reach::kReached) return ok();
  return Error{Code::kPermissionDenied,
               "the window belongs to a program with a higher integrity level (run as administrator): Windows ignores "
               "what the actuator asks of it"};
}

bool passes_clicks(HWND window) {
  const auto extended = static_cast<DWORD>(::GetWindowLongPtrW(window, GWL_EXSTYLE));
  constexpr DWORD kClickThrough = WS_EX_TRANSPARENT | WS_EX_LAYERED;
  return (extended & kClickThrough) == kClickThrough;
}

bool contains(HWND window, POINT at) {
  RECT bounds{};
  return ::GetWindowRect(window, &bounds) && ::PtInRect(&bounds, at);
}

bool is_in_front(HWND window) {
  const HWND foreground = ::GetForegroundWindow();
  if (foreground == window) return !::IsIconic(window);
  return !::IsWindowEnabled(window) && foreground != nullptr && ::GetAncestor(foreground, GA_ROOTOWNER) == window;
}

// Shares the input state of two threads for a moment. Only between threads that respond: a hung one would hang both.
class AttachedInput {
 public:
  explicit AttachedInput(HWND window) : other_(::GetWindowThreadProcessId(window, nullptr)) {
    const DWORD own = ::GetCurrentThreadId();
    attached_ = other_ != 0 && other_ != own && !::IsHungAppWindow(window) && ::AttachThreadInput(own, other_, TRUE);
  }
  ~AttachedInput() {
    if (attached_) ::AttachThreadInput(::GetCurrentThreadId(), other_, FALSE);
  }
  AttachedInput(const AttachedInput&) = delete;
  AttachedInput& operator=(const AttachedInput&) = delete;

 private:
  DWORD other_;
  bool attached_ = false;
};

// Windows lets only the process with the last input change the foreground, or a thread that shares the input state of
// the foreground window's thread.
void bring_to_front(HWND window) {
  if (::IsIconic(window)) ::ShowWindowAsync(window, SW_RESTORE);
  const HWND target = ::IsWindowEnabled(window) ? window : ::GetLastActivePopup(window);
  if (::SetForegroundWindow(target)) return;
  const HWND foreground = ::GetForegroundWindow();
  if (foreground == nullptr) return;
  const AttachedInput attached(foreground);
  ::BringWindowToTop(target);
  ::SetForegroundWindow(target);
}

// Asks the windows of the process to close, except those that a dialog disables. Returns how many were asked.
int ask_to_close(std::uint32_t pid) {
  int asked = 0;
  for (const HWND window : front_to_back()) {
    const bool closes = owner_of(window) == pid && ::IsWindowVisible(window) && ::IsWindowEnabled(window);
    if (closes && ::PostMessageW(window, WM_CLOSE, 0, 0)) ++asked;
  }
  return asked;
}

}  // namespace

// WindowFromPoint looks through disabled windows, but a click on one does not reach the window below it.
HWND top_level_at(POINT at) {
  const HWND found = ::GetAncestor(::WindowFromPoint(at), GA_ROOT);
  for (const HWND window : front_to_back()) {
    if (window == found) break;
    if (!::IsWindowEnabled(window) && is_shown(window) && !passes_clicks(window) && contains(window, at)) return window;
  }
  return found;
}

Result<std::vector<WindowInfo>> Win32Windows::list() {
  const HWND foreground = ::GetForegroundWindow();
  std::vector<WindowInfo> infos;
  for (const HWND window : front_to_back()) {
    if (is_application_window(window)) infos.push_back(describe_window(window, foreground));
  }
  return infos;
}

std::vector<std::uint32_t> Win32Windows::ancestors() { return own_ancestors(); }

Result<std::optional<WindowInfo>> Win32Windows::foreground() {
  const HWND window = ::GetForegroundWindow();
  if (window == nullptr || window == ::GetDesktopWindow() || !is_shown(window)) return std::optional<WindowInfo>();
  return std::optional(describe_window(window, window));
}

Result<std::optional<WindowInfo>> Win32Windows::window_at(Point at) {
  const HWND window = top_level_at(POINT{at.x, at.y});
  if (window == nullptr || window == ::GetDesktopWindow()) return std::optional<WindowInfo>();
  auto found = describe_window(named_window(window), ::GetForegroundWindow());
  RECT content{};
  POINT in_content{at.x, at.y};
  if (::GetClientRect(window, &content) && ::ScreenToClient(window, &in_content)) {
    found.on_frame = !::PtInRect(&content, in_content);
  }
  found.surface = id_of_window(window);
  found.part = id_of_window(::WindowFromPoint(POINT{at.x, at.y}));
  return std::optional(std::move(found));
}

Result<void> Win32Windows::focus(const std::string& id, MonoTime deadline) {
  ASSIGN_OR_RETURN(const HWND window, existing(id));
  RETURN_IF_ERROR(check_reach(window));
  while (!is_in_front(window)) {
    if (!::IsWindowVisible(window)) return Error{Code::kNotFound, "the window is gone"};
    if (clock_.now() >= deadline) {
      return Error{Code::kDeadlineExceeded, "Windows has not brought the window to the front in time"};
    }
    bring_to_front(window);
    // A window is activated by its own thread.
    for (int look = 0; look < 20 && !is_in_front(window); ++look) std::this_thread::sleep_for(kBetweenLooks);
  }
  return ok();
}

Result<void> Win32Windows::close(const std::string& id) {
  ASSIGN_OR_RETURN(const HWND window, existing(id));
  RETURN_IF_ERROR(check_reach(window));
  if (::PostMessageW(window, WM_CLOSE, 0, 0)) return ok();
  return win32_error("ask the window to close", ::GetLastError());
}

Result<Ending> Win32Windows::terminate(std::uint32_t pid, std::uint64_t process_start, const Checkpoint& checkpoint,
                                       MonoTime deadline) {
  ASSIGN_OR_RETURN(const RunningProcess process, RunningProcess::open(pid, process_start));
  if (ask_to_close(pid) == 0) {
    RETURN_IF_ERROR(checkpoint());
  } else {
    for (const MonoTime until = std::min(clock_.now() + kTimeToClose, deadline); clock_.now() < until;) {
      if (process.has_ended_in(kBetweenLooks)) return Ending::kClosed;
      RETURN_IF_ERROR(checkpoint());
    }
  }
  RETURN_IF_ERROR(process.kill(deadline, clock_));
  return Ending::kKilled;
}

}  // namespace da::actuator::win32
