#include "services/actuator/desktop/win32/ui_tree/window_scale.h"

namespace da::actuator::win32 {
namespace {

// While it lives, this thread sees the coordinates that the window's program sees.
class AsProgram {
 public:
  explicit AsProgram(HWND window) : before_(::SetThreadDpiAwarenessContext(::GetWindowDpiAwarenessContext(window))) {}
  ~AsProgram() {
    if (before_ != nullptr) ::SetThreadDpiAwarenessContext(before_);
  }
  AsProgram(const AsProgram&) = delete;
  AsProgram& operator=(const AsProgram&) = delete;

  bool active() const { return before_ != nullptr; }

 private:
  const DPI_AWARENESS_CONTEXT before_;
};

std::optional<Rect> bounds_of(HWND window) {
  RECT bounds{};
  if (!::GetWindowRect(window, &bounds)) return std::nullopt;
  return Rect{bounds.left, bounds.top, bounds.right - bounds.left, bounds.bottom - bounds.top};
}

double scale_of(const Rect& seen, const Rect& shown) {
  const bool wide = seen.width >= seen.height;
  if (seen.empty() || shown.empty() || (seen.width == shown.width && seen.height == shown.height)) return 1;
  return wide ? static_cast<double>(shown.width) / seen.width : static_cast<double>(shown.height) / seen.height;
}

}  // namespace

std::optional<PlaceMap> screen_map_of(HWND window) {
  const auto shown = bounds_of(window);
  const AsProgram context(window);
  const auto seen = bounds_of(window);
  if (!context.active() || !shown || !seen) return std::nullopt;
  return anchored(*seen, *shown, scale_of(*seen, *shown));
}

Rect from_client(HWND window, RECT place) {
  const auto map = screen_map_of(window);
  if (!map) return {};
  {
    const AsProgram context(window);
    ::MapWindowPoints(window, nullptr, reinterpret_cast<POINT*>(&place), 2);
  }
  return map->to_desktop({place.left, place.top, place.right - place.left, place.bottom - place.top});
}

std::optional<POINT> to_client(HWND window, Point desktop) {
  const auto map = screen_map_of(window);
  if (!map) return std::nullopt;
  const Point seen = map->to_reported(desktop);
  POINT inside{seen.x, seen.y};
  const AsProgram context(window);
  return ::ScreenToClient(window, &inside) ? std::optional(inside) : std::nullopt;
}

}  // namespace da::actuator::win32
