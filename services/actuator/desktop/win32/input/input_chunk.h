// The events of one call of SendInput, which no other input interrupts. Pure but for the screen's size; one thread.
#pragma once

#include <windows.h>

#include <cstdint>
#include <span>
#include <vector>

#include "services/actuator/desktop/roles/input.h"
#include "services/actuator/desktop/win32/input/keyboard/key_codes.h"

namespace da::actuator::win32 {

// SendInput's place of a pixel: the virtual desktop is 65,536 wide and high, and Windows rounds down. Pixels outside
// become the nearest one inside.
POINT normalized(Point at, const Rect& desktop);

enum class Press { kDown, kUp };

class InputChunk {
 public:
  // `mark`: of all events (InputMark).
  InputChunk(std::uintptr_t mark, const Rect& desktop) : mark_(mark), desktop_(desktop) {}

  void move(Point to);
  // Repeats the place: a click after a separate move may land at the previous place.
  void button(Button button, Press press, Point at);
  // Acts at the pointer's place.
  void button(Button button, Press press);
  // Positive: up and to the right, in units of WHEEL_DELTA a notch.
  void wheel(Point at, int up, int right);
  void key(const KeyCode& key, Press press);
  // One unit of UTF-16, pressed and released.
  void character(wchar_t unit);

  std::vector<INPUT>& events() { return events_; }

 private:
  void mouse(DWORD flags, const Point* at, DWORD data);

  const std::uintptr_t mark_;
  const Rect desktop_;
  std::vector<INPUT> events_;
};

// How many of them press a key or a button, or turn the wheel.
std::size_t count_presses(std::span<const INPUT> events);

// Whether one of them presses or releases a button, or turns the wheel.
bool act_at_pointer(std::span<const INPUT> events);

}  // namespace da::actuator::win32
