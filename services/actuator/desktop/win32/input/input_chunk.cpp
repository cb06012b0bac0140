#include "services/actuator/desktop/win32/input/input_chunk.h"

#include <algorithm>

namespace da::actuator::win32 {
namespace {

struct ButtonFlags {
  DWORD down;
  DWORD up;
};

// SendInput names the buttons by their place on the mouse; a left-handed person has exchanged them.
ButtonFlags flags_of(Button button) {
  constexpr ButtonFlags kLeft{MOUSEEVENTF_LEFTDOWN, MOUSEEVENTF_LEFTUP};
  constexpr ButtonFlags kRight{MOUSEEVENTF_RIGHTDOWN, MOUSEEVENTF_RIGHTUP};
  const bool exchanged = ::GetSystemMetrics(SM_SWAPBUTTON) != 0;
  switch (button) {
    case Button::kLeft: return exchanged ? kRight : kLeft;
    case Button::kRight: return exchanged ? kLeft : kRight;
    case Button::kMiddle: return {MOUSEEVENTF_MIDDLEDOWN, MOUSEEVENTF_MIDDLEUP};
  }
  return kLeft;
}

LONG normalized(int at, int from, int size) {
  if (size <= 0) return 0;
  const auto inside = static_cast<std::int64_t>(std::clamp(at - from, 0, size - 1));
  return static_cast<LONG>((inside * 65'536 + size - 1) / size);
}

}  // namespace

POINT normalized(Point at, const Rect& desktop) {
  return {normalized(at.x, desktop.x, desktop.width), normalized(at.y, desktop.y, desktop.height)};
}

void InputChunk::mouse(DWORD flags, const Point* at, DWORD data) {
  INPUT event{};
  event.type = INPUT_MOUSE;
  event.mi.dwFlags = flags;
  event.mi.mouseData = data;
  event.mi.dwExtraInfo = mark_;
  if (at != nullptr) {
    const POINT place = normalized(*at, desktop_);
    event.mi.dx = place.x;
    event.mi.dy = place.y;
    event.mi.dwFlags |= MOUSEEVENTF_MOVE | MOUSEEVENTF_ABSOLUTE | MOUSEEVENTF_VIRTUALDESK;
  }
  events_.push_back(event);
}

void InputChunk::move(Point to) { mouse(0, &to, 0); }

void InputChunk::button(Button button, Press press, Point at) {
  const ButtonFlags flags = flags_of(button);
  mouse(press == Press::kDown ? flags.down : flags.up, &at, 0);
}

void InputChunk::button(Button button, Press press) {
  const ButtonFlags flags = flags_of(button);
  mouse(press == Press::kDown ? flags.down : flags.up, nullptr, 0);
}

void InputChunk::wheel(Point at, int up, int right) {
  if (up != 0) mouse(MOUSEEVENTF_WHEEL, &at, static_cast<DWORD>(up * WHEEL_DELTA));
  if (right != 0) mouse(MOUSEEVENTF_HWHEEL, &at, static_cast<DWORD>(right * WHEEL_DELTA));
}

void InputChunk::key(const KeyCode& key, Press press) {
  INPUT event{};
  event.type = INPUT_KEYBOARD;
  event.ki.wVk = key.virtual_key;
  event.ki.wScan = key.scan_code;
  event.ki.dwFlags = (key.extended ? KEYEVENTF_EXTENDEDKEY : 0u) | (press == Press::kUp ? KEYEVENTF_KEYUP : 0u);
  event.ki.dwExtraInfo = mark_;
  events_.push_back(event);
}

void InputChunk::character(wchar_t unit) {
  INPUT event{};
  event.type = INPUT_KEYBOARD;
  event.ki.wScan = static_cast<WORD>(unit);
  event.ki.dwExtraInfo = mark_;
  event.ki.dwFlags = KEYEVENTF_UNICODE;
  events_.push_back(event);
  event.ki.dwFlags |= KEYEVENTF_KEYUP;
  events_.push_back(event);
}

std::size_t count_presses(std::span<const INPUT> events) {
  constexpr DWORD kPresses =
      MOUSEEVENTF_LEFTDOWN | MOUSEEVENTF_RIGHTDOWN | MOUSEEVENTF_MIDDLEDOWN | MOUSEEVENTF_WHEEL | MOUSEEVENTF_HWHEEL;
  return static_cast<std::size_t>(std::ranges::count_if(events, [](const INPUT& event) {
    return event.type == INPUT_KEYBOARD ? (event.ki.dwFlags & KEYEVENTF_KEYUP) == 0
                                        : (event.mi.dwFlags & kPresses) != 0;
  }));
}

bool act_at_pointer(std::span<const INPUT> events) {
  constexpr DWORD kMovesOnly = MOUSEEVENTF_MOVE | MOUSEEVENTF_ABSOLUTE | MOUSEEVENTF_VIRTUALDESK;
  return std::ranges::any_of(
      events, [](const INPUT& event) { return event.type == INPUT_MOUSE && (event.mi.dwFlags & ~kMovesOnly) != 0; });
}

}  // namespace da::actuator::win32
