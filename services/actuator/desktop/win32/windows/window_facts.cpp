#include "services/actuator/desktop/win32/windows/window_facts.h"

#include <dwmapi.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "services/actuator/desktop/win32/applications/win32_process.h"
#include "services/actuator/desktop/win32/base/wide_text.h"

namespace da::actuator::win32 {
namespace {

constexpr int kLongestText = 500;

// The desktop itself and its icons.
constexpr auto kShellClasses = std::to_array<std::wstring_view>({L"Progman", L"WorkerW"});
constexpr auto kPopupClasses = std::to_array<std::wstring_view>({L"#32768", L"tooltips_class32"});
constexpr std::wstring_view kDialogClass = L"#32770";

bool is_one_of(std::wstring_view name, const auto& names) { return std::ranges::find(names, name) != names.end(); }

Rect rect_of(const RECT& r) { return {r.left, r.top, r.right - r.left, r.bottom - r.top}; }

BOOL CALLBACK add_window(HWND window, LPARAM found) {
  reinterpret_cast<std::vector<HWND>*>(found)->push_back(window);
  return TRUE;
}

// Programs may set an owner of another process: that one does not count.
HWND application_owner_of(HWND popup) {
  const HWND owner = ::GetWindow(popup, GW_OWNER);
  const HWND root = owner != nullptr ? ::GetAncestor(owner, GA_ROOT) : nullptr;
  return root != nullptr && is_application_window(root) && pid_of(root) == pid_of(popup) ? root : nullptr;
}

// The list of a combo box has no owner, but runs in the thread of its window.
HWND application_window_of_thread(HWND popup) {
  const DWORD thread = ::GetWindowThreadProcessId(popup, nullptr);
  for (const HWND window : front_to_back()) {
    if (::GetWindowThreadProcessId(window, nullptr) == thread && is_application_window(window)) return window;
  }
  return nullptr;
}

WindowKind kind_of(HWND window) {
  const std::wstring name = class_of(window);
  if (name == kDialogClass) return WindowKind::kDialog;
  if (is_one_of(name, kPopupClasses)) return WindowKind::kPopup;
  const auto style = static_cast<DWORD>(::GetWindowLongPtrW(window, GWL_STYLE));
  const auto extended = static_cast<DWORD>(::GetWindowLongPtrW(window, GWL_EXSTYLE));
  const bool has_caption = (style & WS_CAPTION) == WS_CAPTION;
  if (!has_caption && (extended & (WS_EX_TOOLWINDOW | WS_EX_NOACTIVATE)) != 0) return WindowKind::kPopup;
  const bool owned = ::GetWindow(window, GW_OWNER) != nullptr;
  const bool fixed = (style & (WS_MINIMIZEBOX | WS_MAXIMIZEBOX | WS_THICKFRAME)) == 0;
  if (owned && has_caption && fixed) return WindowKind::kDialog;
  return WindowKind::kMain;
}

// A modal dialog disables its owner. A program can disable a window without a dialog, too: then nothing is in the way.
std::string blocker_of(HWND window) {
  if (::IsWindowEnabled(window)) return {};
  const HWND popup = ::GetWindow(window, GW_ENABLEDPOPUP);
  if (popup != nullptr && popup != window && is_shown(popup)) return id_of_window(popup);
  // Message boxes of some programs name no owner.
  for (const HWND each : front_to_back()) {
    const bool is_dialog = each != window && ::IsWindowEnabled(each) && is_application_window(each);
    if (is_dialog && pid_of(each) == pid_of(window)) return id_of_window(each);
  }
  return {};
}

}  // namespace

std::string id_of_window(HWND window) {
  char digits[2 * sizeof(std::uintptr_t)];
  const auto end = std::to_chars(digits, digits + sizeof digits, reinterpret_cast<std::uintptr_t>(window), 16).ptr;
  return "0x" + std::string(digits, end);
}

std::optional<HWND> window_of_id(const std::string& id) {
  if (!id.starts_with("0x")) return std::nullopt;
  std::uintptr_t number = 0;
  const char* end = id.data() + id.size();
  const auto parsed = std::from_chars(id.data() + 2, end, number, 16);
  if (parsed.ec != std::errc() || parsed.ptr != end || number == 0) return std::nullopt;
  return reinterpret_cast<HWND>(number);
}

std::string kept_text_of(HWND window) {
  wchar_t text[kLongestText + 1] = {};
  const int length = ::InternalGetWindowText(window, text, kLongestText + 1);
  return to_utf8({text, static_cast<std::size_t>(std::max(length, 0))});
}

std::wstring class_of(HWND window) {
  wchar_t name[257] = {};
  const int length = ::GetClassNameW(window, name, 257);
  return {name, static_cast<std::size_t>(std::max(length, 0))};
}

std::uint32_t pid_of(HWND window) {
  DWORD pid = 0;
  ::GetWindowThreadProcessId(window, &pid);
  return pid;
}

std::uint32_t owner_of(HWND window) {
  if (class_of(window) == L"ApplicationFrameWindow") {
    const HWND content = ::FindWindowExW(window, nullptr, L"Windows.UI.Core.CoreWindow", nullptr);
    if (content != nullptr) return pid_of(content);
  }
  return pid_of(window);
}

bool is_shown(HWND window) {
  if (!::IsWindowVisible(window)) return false;
  DWORD cloaked = 0;
  const HRESULT known = ::DwmGetWindowAttribute(window, DWMWA_CLOAKED, &cloaked, sizeof cloaked);
  return known != S_OK || cloaked == 0;
}

bool is_application_window(HWND window) {
  if (!is_shown(window)) return false;
  const auto extended = static_cast<DWORD>(::GetWindowLongPtrW(window, GWL_EXSTYLE));
  if ((extended & WS_EX_APPWINDOW) != 0) return true;
  if ((extended & WS_EX_TOOLWINDOW) != 0 || is_one_of(class_of(window), kShellClasses)) return false;
  return window != ::GetDesktopWindow() && !kept_text_of(window).empty();
}

std::vector<HWND> front_to_back() {
  std::vector<HWND> windows;
  ::EnumWindows(add_window, reinterpret_cast<LPARAM>(&windows));
  return windows;
}

HWND named_window(HWND top_level) {
  if (is_application_window(top_level)) return top_level;
  if (const HWND owner = application_owner_of(top_level)) return owner;
  const bool has_owner = ::GetWindow(top_level, GW_OWNER) != nullptr;
  const HWND window = has_owner ? nullptr : application_window_of_thread(top_level);
  return window != nullptr ? window : top_level;
}

std::vector<HWND> popups_of(HWND window) {
  std::vector<HWND> popups;
  for (const HWND each : front_to_back()) {
    if (each != window && is_shown(each) && pid_of(each) == pid_of(window) && named_window(each) == window) {
      popups.push_back(each);
    }
  }
  return popups;
}

Rect bounds_of(HWND window) {
  RECT bounds{};
  if (::IsIconic(window)) {
    WINDOWPLACEMENT placement{};
    placement.length = sizeof placement;
    if (::GetWindowPlacement(window, &placement)) return rect_of(placement.rcNormalPosition);
  }
  if (::DwmGetWindowAttribute(window, DWMWA_EXTENDED_FRAME_BOUNDS, &bounds, sizeof bounds) == S_OK &&
      bounds.right > bounds.left) {
    return rect_of(bounds);
  }
  return ::GetWindowRect(window, &bounds) ? rect_of(bounds) : Rect{};
}

WindowInfo describe_window(HWND window, HWND foreground) {
  WindowInfo info;
  info.id = id_of_window(window);
  info.title = kept_text_of(window);
  info.pid = owner_of(window);
  if (info.pid != 0) {
    info.executable = executable_of(info.pid);
    info.process_start = start_of(info.pid);
    info.takes_input = reach_of(info.pid) == Reach::kReached;
  }
  info.bounds = bounds_of(window);
  info.focused = window == foreground;
  info.minimized = ::IsIconic(window) != 0;
  info.mapped = is_shown(window);
  info.kind = kind_of(window);
  info.blocked_by = blocker_of(window);
  return info;
}

}  // namespace da::actuator::win32
