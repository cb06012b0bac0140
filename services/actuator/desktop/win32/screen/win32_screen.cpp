#include "services/actuator/desktop/win32/screen/win32_screen.h"

#include <windows.h>
// windows.h must come first:
#include <shellscalingapi.h>

#include "services/actuator/desktop/win32/base/wide_text.h"
#include "services/actuator/desktop/win32/base/win32_error.h"
#include "services/actuator/desktop/win32/screen/cursor_shapes.h"
#include "services/actuator/desktop/win32/screen/drawing_watch.h"

namespace da::actuator::win32 {
namespace {

constexpr double kDotsPerInchAtScale1 = 96.0;

Rect rect_of(const RECT& r) { return {r.left, r.top, r.right - r.left, r.bottom - r.top}; }

double scale_of(HMONITOR monitor) {
  UINT x = 0;
  UINT y = 0;
  if (::GetDpiForMonitor(monitor, MDT_EFFECTIVE_DPI, &x, &y) != S_OK || x == 0) return 1.0;
  return x / kDotsPerInchAtScale1;
}

BOOL CALLBACK add_monitor(HMONITOR monitor, HDC, RECT*, LPARAM found) {
  MONITORINFOEXW info{};
  info.cbSize = sizeof info;
  if (!::GetMonitorInfoW(monitor, &info)) return TRUE;
  reinterpret_cast<std::vector<MonitorInfo>*>(found)->push_back(
      {to_utf8(info.szDevice), rect_of(info.rcMonitor), scale_of(monitor)});
  return TRUE;
}

}  // namespace

Result<Layout> Win32Screen::layout() {
  Layout layout{virtual_desktop(), {}};
  if (layout.desktop.empty()) return Error{Code::kUnavailable, "Windows shows no desktop: it reports an empty one"};
  ::EnumDisplayMonitors(nullptr, nullptr, add_monitor, reinterpret_cast<LPARAM>(&layout.monitors));
  if (layout.monitors.empty()) layout.monitors.push_back({"screen", layout.desktop, 1.0});
  return layout;
}

Result<FrameView> Win32Screen::capture() {
  const Rect desktop = virtual_desktop();
  if (desktop.empty()) return Error{Code::kUnavailable, "Windows shows no desktop: it reports an empty one"};
  auto duplicated = duplication_.capture(desktop, desktop, copied_frame_);
  return duplicated ? std::move(duplicated) : frame_.copy(desktop);
}

Result<FrameView> Win32Screen::capture_area(const Rect& area) {
  const Rect desktop = virtual_desktop();
  const Rect wanted = intersection(area, desktop);
  if (wanted.empty()) return Error{Code::kOutOfRange, "the area to capture lies outside the desktop"};
  auto duplicated = duplication_.capture(desktop, wanted, copied_part_);
  return duplicated ? std::move(duplicated) : part_.copy(wanted);
}

Result<std::optional<std::vector<Rect>>> Win32Screen::changed_since(std::uint64_t generation) {
  auto changed = duplication_.changed_since(virtual_desktop(), generation);
  return changed ? std::move(changed) : std::optional<std::vector<Rect>>();
}

Result<std::unique_ptr<DrawingWatch>> Win32Screen::watch_drawing() {
  return std::unique_ptr<DrawingWatch>(std::make_unique<Win32DrawingWatch>(duplication_, clock_));
}

Result<Point> Win32Screen::cursor() {
  POINT at{};
  if (!::GetCursorPos(&at)) return win32_error("find the cursor", ::GetLastError());
  return Point{at.x, at.y};
}

Result<CursorShape> Win32Screen::cursor_shape() { return current_cursor_shape(); }

}  // namespace da::actuator::win32
