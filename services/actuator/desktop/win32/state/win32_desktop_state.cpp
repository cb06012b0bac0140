#include "services/actuator/desktop/win32/state/win32_desktop_state.h"

#include <windows.h>

#include <memory>
#include <type_traits>

#include "services/actuator/desktop/win32/windows/window_facts.h"

namespace da::actuator::win32 {
namespace {

struct DeleteRegion {
  void operator()(HRGN region) const { ::DeleteObject(region); }
};
using Region = std::unique_ptr<std::remove_pointer_t<HRGN>, DeleteRegion>;

Rect rect_of(const RECT& r) { return {r.left, r.top, r.right - r.left, r.bottom - r.top}; }

// The top-level window with the keyboard focus; null while none has it.
HWND focused_window() {
  GUITHREADINFO thread{};
  thread.cbSize = sizeof thread;
  HWND focus = ::GetForegroundWindow();
  if (::GetGUIThreadInfo(0, &thread)) {
    for (const HWND each : {thread.hwndFocus, thread.hwndActive}) {
      if (each == nullptr) continue;
      focus = each;
      break;
    }
  }
  const HWND root = focus != nullptr ? ::GetAncestor(focus, GA_ROOT) : nullptr;
  return root == ::GetDesktopWindow() ? nullptr : root;
}

bool passes_clicks(HWND window) {
  const auto extended = static_cast<DWORD>(::GetWindowLongPtrW(window, GWL_EXSTYLE));
  constexpr DWORD kClickThrough = WS_EX_TRANSPARENT | WS_EX_LAYERED;
  return (extended & kClickThrough) == kClickThrough;
}

// The window's rectangle, or the parts of it that its region leaves.
std::vector<Rect> parts_of(HWND window) {
  RECT place{};
  if (!::GetWindowRect(window, &place)) return {};
  const Rect whole = rect_of(place);
  const Region region(::CreateRectRgn(0, 0, 0, 0));
  const int kind = ::GetWindowRgn(window, region.get());
  if (kind == ERROR) return {whole};
  if (kind == NULLREGION) return {};
  const DWORD size = ::GetRegionData(region.get(), 0, nullptr);
  std::vector<char> data(size);
  if (size < sizeof(RGNDATAHEADER) ||
      ::GetRegionData(region.get(), size, reinterpret_cast<RGNDATA*>(data.data())) == 0) {
    return {whole};
  }
  const auto& header = *reinterpret_cast<const RGNDATAHEADER*>(data.data());
  const auto* const each = reinterpret_cast<const RECT*>(data.data() + sizeof(RGNDATAHEADER));
  std::vector<Rect> parts;
  for (DWORD i = 0; i < header.nCount; ++i) {
    Rect part = rect_of(each[i]);
    part.x += whole.x;
    part.y += whole.y;
    if (const Rect inside = intersection(part, whole); !inside.empty()) parts.push_back(inside);
  }
  return parts;
}

}  // namespace

Result<KeyReceiver> Win32DesktopState::key_receiver() {
  KeyReceiver receiver;
  const HWND window = focused_window();
  if (window == nullptr || !is_shown(window)) return receiver;
  receiver.window = describe_window(window, window);
  receiver.focus = receiver.window->id;
  return receiver;
}

Result<bool> Win32DesktopState::still_receives(const KeyReceiver& receiver) {
  const HWND window = focused_window();
  return window != nullptr && receiver.focus == id_of_window(window);
}

Result<std::vector<ClickArea>> Win32DesktopState::click_areas(std::span<const WindowInfo> listed) {
  std::vector<ClickArea> areas;
  for (const HWND window : front_to_back()) {
    if (!is_shown(window) || ::IsIconic(window) || passes_clicks(window)) continue;
    auto parts = parts_of(window);
    if (parts.empty()) continue;
    const std::string id = id_of_window(window);
    const std::string owner_id = id_of_window(named_window(window));
    const auto find = [&](const std::string& wanted) { return std::ranges::find(listed, wanted, &WindowInfo::id); };
    const bool is_listed = find(id) != listed.end();
    const bool owned = find(owner_id) != listed.end();
    areas.push_back({.window = describe_window(window, nullptr),
                     .owner_id = owned ? owner_id : "",
                     .listed = is_listed,
                     .parts = std::move(parts)});
  }
  return areas;
}

}  // namespace da::actuator::win32
