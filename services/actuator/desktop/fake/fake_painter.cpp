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
    if (visible.empty()) return;
    const auto stride = static_cast<std::size_t>(area.width) * 4;
    const auto row_bytes = static_cast<std::size_t>(visible.width) * 4;
    std::uint8_t* first = pixels.data() + static_cast<std::size_t>(visible.y - area.y) * stride +
                          static_cast<std::size_t>(visible.x - area.x) * 4;
    for (std::size_t at = 0; at < row_bytes; at += 4) std::memcpy(first + at, &colour, 4);
    for (int row = 1; row < visible.height; ++row) {
      std::memcpy(first + static_cast<std::size_t>(row) * stride, first, row_bytes);
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
