// Keyboard and mouse of an X display through the XTEST extension.
//
// Events go out in chunks of at most 10 ms; after each the server is synchronised and the checkpoint asked. Text is
// typed through KeyboardMap, and type() returns only when the application has read its keys (KeyReceipt). What is held
// down is known here, and released by release_all() and by the destructor. Owns its connection. One thread. Errors:
// kUnavailable, kInvalidArgument (no such key or character), kUnimplemented.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/key_receipt.h"
#include "services/actuator/desktop/x11/keyboard_map.h"

namespace da::actuator::x11 {

class X11Input final : public Input {
 public:
  static Result<std::unique_ptr<X11Input>> open(const std::string& display, const Clock& clock, DamageWatch& damage);
  ~X11Input() override;

  Result<void> move(Point to) override;
  Progress click(Point at, Button button, int clicks, Milliseconds interval, const Checkpoint& checkpoint) override;
  Result<void> button_down(Point at, Button button) override;
  Result<void> button_up(Point at, Button button) override;
  Progress scroll(Point at, int dx, int dy, const Checkpoint& checkpoint) override;
  Progress drag(std::span<const Point> path, Button button, const Checkpoint& checkpoint) override;
  Progress tap(std::span<const std::string> keys, const Checkpoint& checkpoint) override;
  Result<void> chord(std::span<const std::string> keys) override;
  Progress type(std::u32string_view text, Milliseconds interval, const Checkpoint& checkpoint) override;
  void release_all() override;

 private:
  X11Input(std::unique_ptr<Connection> connection, KeyReceipt receipt)
      : connection_(std::move(connection)), receipt_(receipt) {}

  void send(std::uint8_t event, std::uint8_t detail, Point at = {});
  void send_key(xcb_keycode_t code, bool down);
  void send_button(std::uint8_t button, bool down);
  Result<void> pause(Milliseconds time, const Checkpoint& checkpoint);
  Result<std::vector<KeyPress>> find_keys(std::span<const std::string> keys);
  Result<void> drag_along(std::span<const Point> path, const Checkpoint& checkpoint, Progress& progress);

  // x11_typing.cpp
  class PlainKeyboard;
  Result<void> type_keys(std::span<const Keysym> keys, Milliseconds interval, const Checkpoint& checkpoint,
                         Progress& progress);
  Result<void> type_chunk(std::span<const Keysym> keys);
  Result<void> confirm_read(const Checkpoint& checkpoint);

  std::unique_ptr<Connection> connection_;
  KeyReceipt receipt_;
  std::unique_ptr<KeyboardMap> map_;
  KeyPress shift_;
  std::set<xcb_keycode_t> held_keys_;
  std::set<std::uint8_t> held_buttons_;
};

}  // namespace da::actuator::x11
