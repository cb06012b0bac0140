#include "services/actuator/picture.h"

#include <spng.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

namespace da::actuator {
namespace {

constexpr std::size_t kChannels = 3;
// The crosshair's arms begin and end so far from the point, in pixels.
constexpr int kCrosshairGap = 4;
constexpr int kCrosshairArm = 14;
// What is shown around an element or a window, in pixels.
constexpr int kMargin = 24;

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

struct Subject {
  std::optional<Point> point;
  std::optional<Rect> frame;
  Point middle;
};

std::optional<Rect> frame_of(const Target& target) {
  for (const auto* element : {&target.element, &target.focused}) {
    if (*element && !(**element).bounds.empty()) return (**element).bounds;
  }
  for (const auto* window : {&target.window, &target.foreground}) {
    if (*window && !(**window).bounds.empty()) return (**window).bounds;
  }
  return std::nullopt;
}

Subject subject_of(const Target& target, const Rect& desktop) {
  Subject subject{target.point, frame_of(target), {}};
  if (subject.point) {
    subject.middle = *subject.point;
  } else {
    const Rect showing = subject.frame ? intersection(*subject.frame, desktop) : Rect{};
    subject.middle = showing.empty() ? desktop.center() : showing.center();
  }
  return subject;
}

// A point with what is near it, or all of what has no point: as much as fits, moved into the desktop.
Rect area_of(const Subject& subject, const Rect& desktop) {
  const bool whole = !subject.point && subject.frame;
  const int wanted_width = whole ? std::max(kPictureWidth, subject.frame->width + 2 * kMargin) : kPictureWidth;
  const int wanted_height = whole ? std::max(kPictureHeight, subject.frame->height + 2 * kMargin) : kPictureHeight;
  const int width = std::min(wanted_width, desktop.width);
  const int height = std::min(wanted_height, desktop.height);
  return {std::clamp(subject.middle.x - width / 2, desktop.x, desktop.right() - width),
          std::clamp(subject.middle.y - height / 2, desktop.y, desktop.bottom() - height), width, height};
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

// Red in white, so that it shows on any ground.
void dot(Pixels& pixels, int x, int y, bool core) {
  if (x < 0 || y < 0 || x >= pixels.width || y >= pixels.height) return;
  std::uint8_t* pixel = pixels.at(x, y);
  pixel[0] = 0xff;
  pixel[1] = pixel[2] = core ? 0x00 : 0xff;
}

void draw_frame(Pixels& pixels, const Rect& frame) {
  for (const auto& [grow, core] : {std::pair(2, false), std::pair(1, true)}) {
    const int left = frame.x - grow;
    const int top = frame.y - grow;
    const int right = frame.right() - 1 + grow;
    const int bottom = frame.bottom() - 1 + grow;
    for (int x = std::max(left, 0); x <= std::min(right, pixels.width - 1); ++x) {
      dot(pixels, x, top, core);
      dot(pixels, x, bottom, core);
    }
    for (int y = std::max(top, 0); y <= std::min(bottom, pixels.height - 1); ++y) {
      dot(pixels, left, y, core);
      dot(pixels, right, y, core);
    }
  }
}

void draw_crosshair(Pixels& pixels, Point at) {
  for (const bool core : {false, true}) {
    const int thickness = core ? 0 : 1;
    for (int along = kCrosshairGap; along <= kCrosshairArm; ++along) {
      for (int across = -thickness; across <= thickness; ++across) {
        dot(pixels, at.x + along, at.y + across, core);
        dot(pixels, at.x - along, at.y + across, core);
        dot(pixels, at.x + across, at.y + along, core);
        dot(pixels, at.x + across, at.y - along, core);
      }
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
  if (!context) return Error{Code::kResourceExhausted, "make a PNG: no memory"};
  spng_ihdr header{};
  header.width = static_cast<std::uint32_t>(pixels.width);
  header.height = static_cast<std::uint32_t>(pixels.height);
  header.bit_depth = 8;
  header.color_type = SPNG_COLOR_TYPE_TRUECOLOR;
  int error = spng_set_option(context.get(), SPNG_ENCODE_TO_BUFFER, 1);
  // The desktop waits meanwhile: fast, not small.
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
  if (!png) return Error{Code::kInternal, std::string("make a PNG: ") + spng_strerror(error)};
  return std::string(static_cast<const char*>(png.get()), size);
}

}  // namespace

Result<std::string> take_picture(Desktop& desktop, ScreenMask& mask, const Target& target, const Clock& clock) {
  ASSIGN_OR_RETURN(const Layout layout, desktop.screen().layout());
  const Subject subject = subject_of(target, layout.desktop);
  ASSIGN_OR_RETURN(const MaskedView captured, mask.capture(desktop, area_of(subject, layout.desktop), clock));
  const FrameView& view = captured.view;
  Pixels pixels = to_rgb(view, captured.masked);
  int scale = 1;
  for (; pixels.width > 2 * kPictureWidth || pixels.height > 2 * kPictureHeight; scale *= 2) pixels = halve(pixels);
  const auto in_picture = [&](int x, int y) { return Point{(x - view.area.x) / scale, (y - view.area.y) / scale}; };
  if (subject.frame) {
    const Point corner = in_picture(subject.frame->x, subject.frame->y);
    draw_frame(pixels, {corner.x, corner.y, subject.frame->width / scale, subject.frame->height / scale});
  }
  if (subject.point) draw_crosshair(pixels, in_picture(subject.point->x, subject.point->y));
  ASSIGN_OR_RETURN(std::string png, to_png(pixels));
  while (png.size() > kLargestPictureBytes) {
    pixels = halve(pixels);
    ASSIGN_OR_RETURN(png, to_png(pixels));
  }
  return png;
}

}  // namespace da::actuator
