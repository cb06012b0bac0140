// Captures of the screen, and what changes on it. desktop.h tells about coordinates, threads and errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/geometry.h"
#include "lib/base/result.h"

namespace da::actuator {

struct MonitorInfo {
  std::string name;
  Rect bounds;
  double scale = 1.0;  // 1.0 = 96 DPI.
};

struct Layout {
  Rect desktop;  // Bounding rectangle of all monitors.
  std::vector<MonitorInfo> monitors;
};

// Pixels owned by the Screen, valid until its next capture. BGRX, 4 bytes per pixel, top row first.
struct FrameView {
  const std::uint8_t* data = nullptr;
  Rect area;               // Part of the desktop that the frame shows.
  std::size_t stride = 0;  // Bytes from one row to the next.
  // Argument for Screen::changed_since(): the frame contains all changes up to this generation, and perhaps later
  // ones. 0: unknown.
  std::uint64_t generation = 0;
};

// What the shape of the mouse cursor says about the place under it or about the application.
enum class CursorShape {
  kUnknown,  // Also: hidden, or drawn by the application itself.
  kArrow,
  kText,
  kHand,  // Over a link or a button.
  kBusy,  // The application works; also with an arrow beside it.
  kCross,
  kMove,
  kResize,
  kForbidden,  // Nothing can be dropped or done here.
  kHelp
};

enum class Quiet { kSettled, kStillChanging };

// The screen is at rest once nothing on it has changed for `quiet`. It is also at rest once nothing has changed for the
// shorter time `idle` and all processes of the application with the keyboard focus (if any) slept meanwhile.
struct Rest {
  Rest(Milliseconds quiet, Milliseconds idle = Milliseconds(0)) : quiet(quiet), idle(idle) {}

  Milliseconds quiet;
  Milliseconds idle;  // 0: ignore whether the application sleeps.
};

// Tells a waiting thread what is drawn on the screen. One thread at a time; several may exist beside each other.
class DrawingWatch {
 public:
  virtual ~DrawingWatch() = default;
  // Forgets what was drawn before the call.
  virtual Result<void> arm() = 0;
  // The areas drawn since arm() or the last next(); if there are none, waits for some. Empty: the deadline has come, or
  // a stop was requested. kUnavailable: drawing cannot be watched now.
  virtual Result<std::vector<Rect>> next(MonoTime deadline, const std::stop_token& stop) = 0;
};

class Screen {
 public:
  virtual ~Screen() = default;
  virtual Result<Layout> layout() = 0;
  // Captures the whole virtual desktop into a buffer that is allocated once per layout.
  virtual Result<FrameView> capture() = 0;
  // Captures `area` clipped to the desktop, into a second buffer: the frame of capture() stays valid.
  virtual Result<FrameView> capture_area(const Rect& area) = 0;
  // Areas of the desktop that may have changed since `generation` (FrameView.generation); the rest has not. nullopt:
  // everything may have, because the generation is too old, or because this desktop does not report all changes.
  virtual Result<std::optional<std::vector<Rect>>> changed_since(std::uint64_t generation) = 0;
  // To miss nothing, call arm(), then changed_since(), then next(). The screen must outlive the watch. Any thread.
  virtual Result<std::unique_ptr<DrawingWatch>> watch_drawing() = 0;
  virtual Result<Point> cursor() = 0;
  virtual Result<CursorShape> cursor_shape() = 0;
  // Waits until the screen is at rest or the deadline. Another thread than that of the other methods may call it.
  virtual Result<Quiet> wait_quiet(const Rest& rest, MonoTime deadline) = 0;
};

}  // namespace da::actuator
