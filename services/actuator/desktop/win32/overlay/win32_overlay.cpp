#include "services/actuator/desktop/win32/overlay/win32_overlay.h"

#include <cmath>

#include "services/actuator/desktop/win32/base/handles.h"
#include "services/actuator/desktop/win32/base/wide_text.h"
#include "services/actuator/desktop/win32/base/win32_error.h"

namespace da::actuator::win32 {
namespace {

constexpr wchar_t kWindowClass[] = L"DesktopAssistOverlay";
constexpr UINT kShow = WM_APP;
constexpr UINT kHide = WM_APP + 1;
// Not in mingw's headers; from Microsoft's documentation of SetWindowDisplayAffinity.
constexpr DWORD kExcludeFromCapture = 0x11;
constexpr DWORD kFirstBuild = 19041;  // Windows 10 version 2004. Earlier builds would black the window out instead.
constexpr BYTE kOpaque = 255;

struct FontTraits {
  using Handle = HFONT;
  static constexpr Handle kInvalid = nullptr;
  static void close(Handle handle) { ::DeleteObject(handle); }
};
struct BrushTraits {
  using Handle = HBRUSH;
  static constexpr Handle kInvalid = nullptr;
  static void close(Handle handle) { ::DeleteObject(handle); }
};
using UniqueFont = os::UniqueHandle<FontTraits>;
using UniqueBrush = os::UniqueHandle<BrushTraits>;

COLORREF to_colorref(std::uint32_t rgb) { return RGB(rgb >> 16 & 0xff, rgb >> 8 & 0xff, rgb & 0xff); }

RECT to_win32(const Rect& rect) { return {rect.x, rect.y, rect.right(), rect.bottom()}; }

UniqueFont open_font(double scale) {
  const int height = static_cast<int>(std::lround(kOverlayTextPixels * scale));
  return UniqueFont(::CreateFontW(-height, 0, 0, 0, FW_NORMAL, FALSE, FALSE, FALSE, DEFAULT_CHARSET, OUT_DEFAULT_PRECIS,
                                  CLIP_DEFAULT_PRECIS, CLEARTYPE_QUALITY, DEFAULT_PITCH, L"Segoe UI"));
}

int padding_at(double scale) { return static_cast<int>(std::lround(kBannerPadding * scale)); }

// The height of a line is also returned in `line_height`.
Size measure(const std::vector<OverlayLine>& lines, double scale, int& line_height) {
  const UniqueScreenDc screen(::GetDC(nullptr));
  const UniqueFont font = open_font(scale);
  const HGDIOBJ before = ::SelectObject(screen.get(), font.get());
  Size size;
  line_height = 0;
  for (const OverlayLine& line : lines) {
    const std::wstring text = to_utf16(line.text);
    SIZE extent{};
    ::GetTextExtentPoint32W(screen.get(), text.c_str(), static_cast<int>(text.size()), &extent);
    size.width = std::max(size.width, static_cast<int>(extent.cx));
    line_height = std::max(line_height, static_cast<int>(extent.cy));
  }
  ::SelectObject(screen.get(), before);
  const int padding = padding_at(scale);
  return {size.width + 2 * padding, static_cast<int>(lines.size()) * line_height + padding};
}

DWORD windows_build() {
  using GetVersion = LONG(WINAPI*)(OSVERSIONINFOW*);
  const HMODULE system = ::GetModuleHandleW(L"ntdll.dll");
  const auto get_version =
      reinterpret_cast<GetVersion>(reinterpret_cast<void*>(::GetProcAddress(system, "RtlGetVersion")));
  OSVERSIONINFOW version{};
  version.dwOSVersionInfoSize = sizeof version;
  return get_version != nullptr && get_version(&version) == 0 ? version.dwBuildNumber : 0;
}

void fill(HDC context, const Rect& rect, std::uint32_t colour) {
  const RECT area = to_win32(rect);
  const UniqueBrush brush(::CreateSolidBrush(to_colorref(colour)));
  ::FillRect(context, &area, brush.get());
}

}  // namespace

Result<void> Win32Overlay::exclude_from_captures(HWND window) {
  const std::string attempted = "the overlay cannot be kept out of captures, so it is not shown";
  if (const DWORD build = windows_build(); build < kFirstBuild) {
    return Error{Code::kUnimplemented, attempted + ": this is build " + std::to_string(build) +
                                           " of Windows, and Windows 10 version 2004 or later is needed"};
  }
  if (::SetWindowDisplayAffinity(window, kExcludeFromCapture)) return ok();
  Error error = win32_error(attempted, ::GetLastError());
  error.code = Code::kUnimplemented;
  return error;
}

std::unique_ptr<Win32Overlay> Win32Overlay::open(Screen& screen, const Exclude& exclude) {
  std::unique_ptr<Win32Overlay> overlay(new Win32Overlay(screen));
  overlay->thread_ = std::thread([self = overlay.get(), exclude] { self->run(exclude); });
  std::unique_lock lock(overlay->mutex_);
  overlay->started_.wait(lock, [&] { return overlay->start_.has_value(); });
  return overlay;
}

Win32Overlay::~Win32Overlay() {
  if (window_ != nullptr) ::PostMessageW(window_, WM_CLOSE, 0, 0);
  thread_.join();
}

void Win32Overlay::run(const Exclude& exclude) {
  Result<void> created = create_window(exclude);
  const bool runs = created.has_value();
  if (!runs && window_ != nullptr) {
    ::DestroyWindow(window_);
    window_ = nullptr;
  }
  {
    const std::lock_guard lock(mutex_);
    start_ = std::move(created);
  }
  started_.notify_all();
  MSG message{};
  while (runs && ::GetMessageW(&message, nullptr, 0, 0) > 0) ::DispatchMessageW(&message);
}

Result<void> Win32Overlay::create_window(const Exclude& exclude) {
  const HINSTANCE program = ::GetModuleHandleW(nullptr);
  WNDCLASSEXW look{};
  look.cbSize = sizeof look;
  look.lpfnWndProc = on_message;
  look.hInstance = program;
  look.lpszClassName = kWindowClass;
  if (::RegisterClassExW(&look) == 0 && ::GetLastError() != ERROR_CLASS_ALREADY_EXISTS) {
    Error error = win32_error("create the overlay's window class", ::GetLastError());
    error.code = Code::kUnimplemented;
    return error;
  }
  constexpr DWORD kStyle = WS_EX_LAYERED | WS_EX_TRANSPARENT | WS_EX_TOOLWINDOW | WS_EX_NOACTIVATE | WS_EX_TOPMOST;
  window_ = ::CreateWindowExW(kStyle, kWindowClass, L"", WS_POPUP, 0, 0, 1, 1, nullptr, nullptr, program, this);
  if (window_ == nullptr || !::SetLayeredWindowAttributes(window_, 0, kOpaque, LWA_ALPHA)) {
    Error error = win32_error("create the overlay's window", ::GetLastError());
    error.code = Code::kUnimplemented;
    return error;
  }
  return exclude(window_);
}

LRESULT CALLBACK Win32Overlay::on_message(HWND window, UINT message, WPARAM wide, LPARAM extra) {
  if (message == WM_NCCREATE) {
    const auto* created = reinterpret_cast<const CREATESTRUCTW*>(extra);
    ::SetWindowLongPtrW(window, GWLP_USERDATA, reinterpret_cast<LONG_PTR>(created->lpCreateParams));
  }
  auto* const overlay = reinterpret_cast<Win32Overlay*>(::GetWindowLongPtrW(window, GWLP_USERDATA));
  if (overlay == nullptr) return ::DefWindowProcW(window, message, wide, extra);
  switch (message) {
    case kShow: return overlay->place(*reinterpret_cast<const OverlayContent*>(extra)) ? 1 : 0;
    case kHide: ::ShowWindow(window, SW_HIDE); return 0;
    case WM_PAINT: overlay->paint(); return 0;
    case WM_MOUSEACTIVATE: return MA_NOACTIVATE;
    case WM_NCHITTEST: return HTTRANSPARENT;
    case WM_CLOSE: ::DestroyWindow(window); return 0;
    case WM_DESTROY: ::PostQuitMessage(0); return 0;
    default: return ::DefWindowProcW(window, message, wide, extra);
  }
}

bool Win32Overlay::place(const OverlayContent& content) {
  const auto layout = screen_.layout();
  if (!layout) return false;
  scale_ = banner_scale(layout->monitors, content.marker);
  lines_ = overlay_lines(content);
  int line_height = 0;
  const Rect banner = place_banner(measure(lines_, scale_, line_height), layout->monitors, content.marker);
  std::vector<Rect> parts = {banner};
  if (content.marker) {
    for (const Rect& bar : marker_bars(*content.marker, layout->desktop)) parts.push_back(bar);
  }
  Rect whole;
  for (const Rect& part : parts) whole = bounding(whole, part);
  bars_.clear();
  const HRGN region = ::CreateRectRgn(0, 0, 0, 0);
  for (Rect part : parts) {
    part.x -= whole.x;
    part.y -= whole.y;
    const HRGN one = ::CreateRectRgn(part.x, part.y, part.right(), part.bottom());
    ::CombineRgn(region, region, one, RGN_OR);
    ::DeleteObject(one);
    bars_.push_back(part);
  }
  banner_ = bars_.front();
  bars_.erase(bars_.begin());
  ::SetWindowRgn(window_, region, FALSE);  // Takes over the region.
  ::SetWindowPos(window_, HWND_TOPMOST, whole.x, whole.y, whole.width, whole.height,
                 SWP_NOACTIVATE | SWP_SHOWWINDOW | SWP_NOSENDCHANGING);
  ::InvalidateRect(window_, nullptr, TRUE);
  return ::UpdateWindow(window_) != 0;
}

void Win32Overlay::paint() {
  PAINTSTRUCT painted{};
  const HDC context = ::BeginPaint(window_, &painted);
  fill(context, banner_, kBannerColour);
  for (const Rect& bar : bars_) fill(context, bar, kMarkerColour);
  int line_height = 0;
  measure(lines_, scale_, line_height);
  const UniqueFont font = open_font(scale_);
  const HGDIOBJ before = ::SelectObject(context, font.get());
  ::SetBkMode(context, TRANSPARENT);
  const int padding = padding_at(scale_);
  int y = banner_.y + padding / 2;
  for (const OverlayLine& line : lines_) {
    const std::wstring text = to_utf16(line.text);
    ::SetTextColor(context, to_colorref(line.colour));
    ::TextOutW(context, banner_.x + padding, y, text.c_str(), static_cast<int>(text.size()));
    y += line_height;
  }
  ::SelectObject(context, before);
  ::EndPaint(window_, &painted);
}

Result<void> Win32Overlay::show(const OverlayContent& content) {
  const std::lock_guard lock(mutex_);
  if (!*start_) return *start_;
  if (::SendMessageW(window_, kShow, 0, reinterpret_cast<LPARAM>(&content)) != 0) return ok();
  return Error{Code::kUnavailable, "Windows does not show the overlay's window"};
}

void Win32Overlay::hide() {
  const std::lock_guard lock(mutex_);
  if (*start_) ::SendMessageW(window_, kHide, 0, 0);
}

}  // namespace da::actuator::win32
