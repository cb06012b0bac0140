// The keys and buttons that this process holds down, by what it has sent. Keeps the guardian's memory up to date. One
// thread at a time.
#pragma once

#include <windows.h>

#include <optional>
#include <span>
#include <vector>

#include "lib/base/geometry.h"
#include "services/actuator/desktop/win32/input/held_page.h"
#include "services/actuator/desktop/win32/input/input_chunk.h"

namespace da::actuator::win32 {

class HeldKeys {
 public:
  explicit HeldKeys(HeldPage page) : page_(std::move(page)) {}

  // Call before the events are sent: what may be pressed counts as held.
  void add_pressed(std::span<const INPUT> events);
  // Call with the events that Windows has taken.
  void remove_released(std::span<const INPUT> events);

  // Where the held button was pressed.
  void set_pressed_at(const std::optional<Point>& at);
  const std::optional<Point>& pressed_at() const { return pressed_at_; }

  bool none() const { return keys_.empty() && buttons_.empty(); }
  bool holds(WORD virtual_key) const;
  bool any_button() const { return !buttons_.empty(); }

  // Fills `chunk` with the releases; buttons where they were pressed.
  void release(InputChunk& chunk) const;

 private:
  std::vector<KeyCode> keys_;
  std::vector<Button> buttons_;
  std::optional<Point> pressed_at_;
  HeldPage page_;
};

}  // namespace da::actuator::win32
