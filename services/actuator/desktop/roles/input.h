// Mouse and keyboard. desktop.h tells about coordinates, threads and errors.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "lib/base/clock.h"
#include "lib/base/geometry.h"
#include "lib/base/result.h"
#include "services/actuator/desktop/roles/checkpoint.h"
#include "services/actuator/desktop/roles/windows.h"

namespace da::actuator {

enum class Button { kLeft, kRight, kMiddle };

// How many units (characters, keys, clicks, path points, notches) of an input were certainly delivered.
struct Progress {
  std::uint32_t done = 0;
  std::uint32_t total = 0;
  std::optional<Error> stopped;  // Why the input ended early.
  // The application has read all `done` characters of a typed text. Otherwise the system took them, and nothing showed
  // that the application has read them.
  bool read = false;
};

// Whether the application with the keyboard focus has read its input.
enum class Reading {
  kRead,     // It has.
  kBusy,     // It had not at the deadline.
  kUnknown,  // That cannot be observed, or another application has the focus by now.
};

// Where a mouse button is pressed or the wheel is turned, and what must get that. Nothing is sent, and the error is
// kAborted, if another window has come under the pointer, or a program has grabbed the pointer. X11: no program can
// come in between. Windows: the system looks for the window again when it delivers the press, some microseconds later.
struct PressPlace {
  // NOLINTNEXTLINE(google-explicit-constructor): most places have no known surface.
  PressPlace(Point at, std::string expected = {}) : point(at), surface(std::move(expected)) {}
  PressPlace(Point at, const std::optional<WindowInfo>& expected)
      : point(at), surface(expected ? expected->surface : "") {}

  Point point;
  std::string surface;  // WindowInfo.surface; empty: whatever is there.
  std::string part;     // WindowInfo.part, which click() checks; empty: any.
};

class Input {
 public:
  virtual ~Input() = default;
  virtual Result<void> move(Point to) = 0;
  virtual Progress click(const PressPlace& at, Button button, int clicks, Milliseconds interval,
                         const Checkpoint& checkpoint) = 0;
  // Waits until a press there begins a click of its own: soon after the last press, an application would take both for
  // a double click. Errors: the checkpoint's.
  virtual Result<void> await_own_click(Point at, Button button, const Checkpoint& checkpoint) = 0;
  virtual Result<void> button_down(const PressPlace& at, Button button) = 0;
  virtual Result<void> button_up(Point at, Button button) = 0;
  // dx: notches to the right; dy: notches down.
  virtual Progress scroll(const PressPlace& at, int dx, int dy, const Checkpoint& checkpoint) = 0;
  // `surface`: as in PressPlace, of the first point.
  virtual Progress drag(std::span<const Point> path, const std::string& surface, Button button,
                        const Checkpoint& checkpoint) = 0;
  // `keys`: canonical names (lib/contract/keys.h).
  virtual Progress tap(std::span<const std::string> keys, const Checkpoint& checkpoint) = 0;
  // kAborted: the checkpoint failed, or the keyboard focus moved after it; nothing was pressed.
  virtual Result<void> chord(std::span<const std::string> keys, const Checkpoint& checkpoint) = 0;
  // Presses these keys and holds them until release_all(), for clicks in between.
  virtual Result<void> hold(std::span<const std::string> keys) = 0;
  // Types exactly this text, newline and tab as keys. Returns once the application has read all of it, where that can
  // be observed (Progress::read).
  virtual Progress type(std::u32string_view text, Milliseconds interval, const Checkpoint& checkpoint) = 0;
  // Waits until the application with the keyboard focus has read its input, and so carried out its immediate effects.
  // Also returns when that cannot be observed, or at the deadline.
  virtual Reading await_reading(MonoTime deadline) = 0;
  // How many keys and buttons this process has pressed so far, and how many notches it has turned; some of them may not
  // have arrived. While the number stays the same, it has sent no key, no click and no turn of the wheel.
  virtual std::uint64_t presses() const = 0;
  // Where this process pressed the mouse button that it holds; nullopt when it holds none. Any thread.
  virtual std::optional<Point> button_held() = 0;
  // Releases every key and button that this process holds. A button is released where it was pressed, so that a drag
  // has no effect. Returns whether anything was held. Any thread, also during another method: it runs between two
  // chunks and waits for no application.
  virtual bool release_all() = 0;
  // Releases as release_all() does, and refuses all later input, also that of a method under way. Any thread; does not
  // wait for a method that hangs.
  virtual void shut() = 0;
};

}  // namespace da::actuator
