#include "services/actuator/desktop/win32/input/keyboard/held_keys.h"

#include <algorithm>

namespace da::actuator::win32 {
namespace {

bool is_key(const INPUT& event) { return event.type == INPUT_KEYBOARD && (event.ki.dwFlags & KEYEVENTF_UNICODE) == 0; }

KeyCode key_of(const INPUT& event) {
  return {event.ki.wVk, event.ki.wScan, (event.ki.dwFlags & KEYEVENTF_EXTENDEDKEY) != 0};
}

bool is_release(const INPUT& event) { return (event.ki.dwFlags & KEYEVENTF_KEYUP) != 0; }

// The button as the caller of Input named it.
std::optional<Button> button_of(const INPUT& event, Press press) {
  if (event.type != INPUT_MOUSE) return std::nullopt;
  const bool exchanged = ::GetSystemMetrics(SM_SWAPBUTTON) != 0;
  const DWORD flags = event.mi.dwFlags;
  const bool down = press == Press::kDown;
  if ((flags & (down ? MOUSEEVENTF_LEFTDOWN : MOUSEEVENTF_LEFTUP)) != 0) {
    return exchanged ? Button::kRight : Button::kLeft;
  }
  if ((flags & (down ? MOUSEEVENTF_RIGHTDOWN : MOUSEEVENTF_RIGHTUP)) != 0) {
    return exchanged ? Button::kLeft : Button::kRight;
  }
  if ((flags & (down ? MOUSEEVENTF_MIDDLEDOWN : MOUSEEVENTF_MIDDLEUP)) != 0) return Button::kMiddle;
  return std::nullopt;
}

template <class T>
void add(std::vector<T>& all, const T& one) {
  if (std::ranges::find(all, one) == all.end()) all.push_back(one);
}

}  // namespace

void HeldKeys::add_pressed(std::span<const INPUT> events) {
  for (const INPUT& event : events) {
    if (is_key(event) && !is_release(event)) add(keys_, key_of(event));
    if (const auto button = button_of(event, Press::kDown)) add(buttons_, *button);
  }
  page_.assign(keys_, buttons_);
}

void HeldKeys::remove_released(std::span<const INPUT> events) {
  for (const INPUT& event : events) {
    if (is_key(event) && is_release(event)) std::erase(keys_, key_of(event));
    if (const auto button = button_of(event, Press::kUp)) std::erase(buttons_, *button);
  }
  page_.assign(keys_, buttons_);
}

bool HeldKeys::holds(WORD virtual_key) const {
  return std::ranges::find(keys_, virtual_key, &KeyCode::virtual_key) != keys_.end();
}

void HeldKeys::set_pressed_at(const std::optional<Point>& at) {
  pressed_at_ = at;
  page_.set_pressed_at(at);
}

void HeldKeys::release(InputChunk& chunk) const {
  for (auto key = keys_.rbegin(); key != keys_.rend(); ++key) chunk.key(*key, Press::kUp);
  for (const Button button : buttons_) {
    if (pressed_at_) {
      chunk.button(button, Press::kUp, *pressed_at_);
    } else {
      chunk.button(button, Press::kUp);
    }
  }
}

}  // namespace da::actuator::win32
