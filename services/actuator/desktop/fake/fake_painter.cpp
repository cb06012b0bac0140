#include "services/actuator/desktop/fake/fake_painter.h"

#include <cstring>

#include "lib/base/text.h"

namespace da::actuator::fake {
namespace {

constexpr std::uint32_t kBackground = 0x00404850;
constexpr std::uint32_t kWindow = 0x00e8e8e8;
constexpr std::uint32_t kTitleBar = 0x003060a0;
constexpr std::uint32_t kField = 0x00ffffff;
constexpr std::uint32_t kButton = 0x00c0c8d0;
constexpr std::uint32_t kDisabled = 0x00989898;
constexpr int kTitleBarHeight = 24;
constexpr int kCharacterWidth = 7;
constexpr int kLineHeight = 14;

struct Canvas {
  Rect area;
  std::vector<std::uint8_t>& pixels;

  void fill(const Rect& rect, std::uint32_t colour) {
    const Rect visible = intersection(rect, area);
    for (int y = visible.y; y < visible.bottom(); ++y) {
      std::uint8_t* at = pixels.data() + 4 * (std::size_t(y - area.y) * std::size_t(area.width) + std::size_t(visible.x - area.x));
      for (int x = 0; x < visible.width; ++x, at += 4) std::memcpy(at, &colour, 4);
    }
  }
};

void paint_text(Canvas& canvas, const Rect& bounds, const std::string& text) {
  const auto scalars = decode_utf8(text);
  if (!scalars) return;
  Point at{bounds.x + 2, bounds.y + 2};
  for (const char32_t c : *scalars) {
    if (c == '\n' || at.x + kCharacterWidth > bounds.right()) at = {bounds.x + 2, at.y + kLineHeight};
    if (at.y + kLineHeight > bounds.bottom()) return;
    if (c == '\n') continue;
    canvas.fill({at.x, at.y, kCharacterWidth - 1, kLineHeight - 3}, (static_cast<std::uint32_t>(c) * 2654435761U) >> 8);
    at.x += kCharacterWidth;
  }
}

}  // namespace

void paint(const std::list<FakeWindow>& windows, const Rect& area, std::vector<std::uint8_t>& buffer) {
  buffer.resize(static_cast<std::size_t>(area.area()) * 4);
  Canvas canvas{area, buffer};
  canvas.fill(area, kBackground);
  for (auto window = windows.rbegin(); window != windows.rend(); ++window) {
    if (window->minimized) continue;
    canvas.fill(window->bounds, kWindow);
    const Rect bar{window->bounds.x, window->bounds.y, window->bounds.width, kTitleBarHeight};
    canvas.fill(bar, kTitleBar);
    paint_text(canvas, bar, window->title);
    for (const FakeElement& element : window->elements) {
      canvas.fill(element.bounds, !element.enabled ? kDisabled : element.editable ? kField : kButton);
      paint_text(canvas, element.bounds, element.editable ? element.text : element.name);
    }
  }
}

}  // namespace da::actuator::fake
