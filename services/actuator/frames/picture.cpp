#include "services/actuator/frames/picture.h"

#include <spng.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

namespace da::actuator {
namespace {

constexpr std::size_t kChannels = 3;
constexpr int kPointBoxRadius = 9;  // Pixels, without the outline.
// An element up to this size is outlined itself; a point in a larger one gets a box.
constexpr int kSmallWidth = kPictureWidth / 2;
constexpr int kSmallHeight = kPictureHeight / 2;
constexpr int kMargin = 24;  // Pixels around an element or a window.

// Rows of 8 bit RGB, tightly packed.
struct Pixels {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> bytes;

  std::uint8_t* at(int x, int y) {
    return bytes.data() +
           (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) * kChannels;
  }
};

using Colour = std::array<std::uint8_t, kChannels>;
constexpr Colour kWhite{0xff, 0xff, 0xff};
constexpr Colour kTarget{0xff, 0x00, 0x00};
constexpr Colour kDrop{0x00, 0x50, 0xff};

std::optional<Rect> frame_of(const ActionTarget& target) {
  for (const auto* element : {&target.element, &target.focused}) {
    if (*element && !(**element).bounds.empty()) return (**element).bounds;
  }
  for (const auto* window : {&target.window, &target.foreground}) {
    if (*window && !(**window).bounds.empty()) return (**window).bounds;
  }
  return std::nullopt;
}

bool is_small(const std::optional<Element>& element) {
  return element && !element->bounds.empty() && element->bounds.width <= kSmallWidth &&
         element->bounds.height <= kSmallHeight;
}

// The small element at the point, else a box around the point. `scale`: desktop pixels per picture pixel.
Rect point_outline(Point point, const std::optional<Element>& element, int scale) {
  if (is_small(element)) return element->bounds;
  const int half = kPointBoxRadius * scale;
  return {point.x - half, point.y - half, 2 * half + 1, 2 * half + 1};
}

struct Outline {
  Rect area;  // Desktop pixels.
  Colour colour;
};

std::vector<Outline> outlines_of(const ActionTarget& target, int scale) {
  std::vector<Outline> outlines;
  if (const auto frame = frame_of(target)) outlines.push_back({*frame, kTarget});
  if (target.point) outlines.push_back({point_outline(*target.point, target.element, scale), kTarget});
  if (target.drop_point) outlines.push_back({point_outline(*target.drop_point, target.drop_element, scale), kDrop});
  return outlines;
}

// The area that must be in the picture.
Rect subject_of(const ActionTarget& target, const Rect& desktop) {
  if (target.point && target.drop_point) {
    return bounding(point_outline(*target.point, target.element, 1),
                    point_outline(*target.drop_point, target.drop_element, 1));
  }
  if (target.point) return {target.point->x, target.point->y, 0, 0};
  const auto frame = frame_of(target);
  const Rect showing = frame ? intersection(*frame, desktop) : Rect{};
  return showing.empty() ? Rect{desktop.center().x, desktop.center().y, 0, 0} : showing;
}

// The subject and its surroundings, as far as they fit, moved into the desktop.
Rect area_of(const Rect& subject, const Rect& desktop) {
  const int width = std::min(std::max(kPictureWidth, subject.width + 2 * kMargin), desktop.width);
  const int height = std::min(std::max(kPictureHeight, subject.height + 2 * kMargin), desktop.height);
  const Point middle = subject.center();
  return {std::clamp(middle.x - width / 2, desktop.x, desktop.right() - width),
          std::clamp(middle.y - height / 2, desktop.y, desktop.bottom() - height), width, height};
}

Pixels to_rgb(const FrameView& view, const std::vector<MaskedArea>& masked) {
  Pixels pixels{view.area.width, view.area.height, {}};
  const auto row_bytes = static_cast<std::size_t>(view.area.width) * 4;
  std::vector<std::uint8_t> bgrx;
  for (int y = 0; y < view.area.height; ++y) {
    const std::uint8_t* row = view.data + static_cast<std::size_t>(y) * view.stride;
    bgrx.insert(bgrx.end(), row, row + row_bytes);
  }
  black_out(bgrx.data(), row_bytes, view.area, masked);
  pixels.bytes.reserve(bgrx.size() / 4 * kChannels);
  for (std::size_t at = 0; at + 3 < bgrx.size(); at += 4) {
    pixels.bytes.insert(pixels.bytes.end(), {bgrx[at + 2], bgrx[at + 1], bgrx[at]});
  }
  return pixels;
}

void set_pixel(Pixels& pixels, int x, int y, const Colour& colour) {
  if (x < 0 || y < 0 || x >= pixels.width || y >= pixels.height) return;
  std::ranges::copy(colour, pixels.at(x, y));
}

// Draws around the area, with a white border so that the outline is visible on any background.
void draw_outline(Pixels& pixels, const Rect& area, const Colour& core) {
  for (const auto& [grow, colour] : {std::pair(2, kWhite), std::pair(1, core)}) {
    const int left = area.x - grow;
    const int top = area.y - grow;
    const int right = area.right() - 1 + grow;
    const int bottom = area.bottom() - 1 + grow;
    for (int x = std::max(left, 0); x <= std::min(right, pixels.width - 1); ++x) {
      set_pixel(pixels, x, top, colour);
      set_pixel(pixels, x, bottom, colour);
    }
    for (int y = std::max(top, 0); y <= std::min(bottom, pixels.height - 1); ++y) {
      set_pixel(pixels, left, y, colour);
      set_pixel(pixels, right, y, colour);
    }
  }
}

Pixels halve(Pixels& pixels) {
  Pixels half{std::max(1, pixels.width / 2), std::max(1, pixels.height / 2), {}};
  half.bytes.resize(static_cast<std::size_t>(half.width) * static_cast<std::size_t>(half.height) * kChannels);
  for (int y = 0; y < half.height; ++y) {
    for (int x = 0; x < half.width; ++x) {
      const std::uint8_t* above = pixels.at(2 * x, 2 * y);
      const std::uint8_t* below = pixels.at(2 * x, std::min(2 * y + 1, pixels.height - 1));
      const std::size_t next = 2 * x + 1 < pixels.width ? kChannels : 0;
      for (std::size_t c = 0; c < kChannels; ++c) {
        half.at(x, y)[c] = static_cast<std::uint8_t>((above[c] + above[c + next] + below[c] + below[c + next]) / 4);
      }
    }
  }
  return half;
}

Result<std::string> to_png(const Pixels& pixels) {
  const std::unique_ptr<spng_ctx, decltype(&spng_ctx_free)> context(spng_ctx_new(SPNG_CTX_ENCODER), &spng_ctx_free);
  if (!context) return Error{Code::kResourceExhausted, "encode the picture as PNG: out of memory"};
  spng_ihdr header{};
  header.width = static_cast<std::uint32_t>(pixels.width);
  header.height = static_cast<std::uint32_t>(pixels.height);
  header.bit_depth = 8;
  header.color_type = SPNG_COLOR_TYPE_TRUECOLOR;
  int error = spng_set_option(context.get(), SPNG_ENCODE_TO_BUFFER, 1);
  // Prefers speed to size, because the desktop's lock is taken meanwhile.
  if (error == 0) error = spng_set_option(context.get(), SPNG_IMG_COMPRESSION_LEVEL, 1);
  if (error == 0) error = spng_set_option(context.get(), SPNG_FILTER_CHOICE, SPNG_FILTER_CHOICE_SUB);
  if (error == 0) error = spng_set_ihdr(context.get(), &header);
  if (error == 0) {
    error =
        spng_encode_image(context.get(), pixels.bytes.data(), pixels.bytes.size(), SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE);
  }
  std::size_t size = 0;
  const std::unique_ptr<void, decltype(&std::free)> png(
      error == 0 ? spng_get_png_buffer(context.get(), &size, &error) : nullptr, &std::free);
  if (!png) return Error{Code::kInternal, std::string("encode the picture as PNG: ") + spng_strerror(error)};
  return std::string(static_cast<const char*>(png.get()), size);
}

}  // namespace

Result<std::string> take_picture(Desktop& desktop, ScreenMask& mask, const ActionTarget& target, const Clock& clock) {
  ASSIGN_OR_RETURN(const Layout layout, desktop.screen().layout());
  const Rect area = area_of(subject_of(target, layout.desktop), layout.desktop);
  ASSIGN_OR_RETURN(const MaskedView captured, mask.capture(desktop, area, clock));
  const FrameView& view = captured.view;
  Pixels pixels = to_rgb(view, captured.masked);
  int scale = 1;
  for (; pixels.width > 2 * kPictureWidth || pixels.height > 2 * kPictureHeight; scale *= 2) pixels = halve(pixels);
  for (const Outline& outline : outlines_of(target, scale)) {
    const Rect& around = outline.area;
    draw_outline(pixels,
                 {(around.x - view.area.x) / scale, (around.y - view.area.y) / scale, around.width / scale,
                  around.height / scale},
                 outline.colour);
  }
  ASSIGN_OR_RETURN(std::string png, to_png(pixels));
  while (png.size() > kLargestPictureBytes) {
    pixels = halve(pixels);
    ASSIGN_OR_RETURN(png, to_png(pixels));
  }
  return png;
}

}  // namespace da::actuator
