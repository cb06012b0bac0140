// Keyboard and mouse of an X display through the XTEST extension.
//
// Events go out in chunks of at most 10 ms; after each the server is synchronised and the checkpoint asked. While a
// chunk goes out the server serves nobody else, so that no locker can take the keyboard between the look for one and
// the last event; and a chunk that a person has come before does not go out. Text is typed through KeyboardMap, and
// type() returns only when the application has read its keys (KeyReceipt). What is held down is known here, noted for
// the guardian (HeldInput), and released by release_all() and by the destructor. Owns its connection. One thread, but
// for release_all() and shut(). Errors: kUnavailable, kInvalidArgument (no such key or character), kUnimplemented,
// kPermissionDenied (a locker), kFailedPrecondition (shut, or a person is at work).
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "services/actuator/desktop/desktop.h"
#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/held_input.h"
#include "services/actuator/desktop/x11/key_receipt.h"
#include "services/actuator/desktop/x11/keyboard_map.h"
#include "services/actuator/desktop/x11/lock_probe.h"
#include "services/actuator/desktop/x11/x11_person_watch.h"

namespace da::actuator::x11 {

class X11Input final : public Input {
 public:
  // The connection becomes Input's alone.
  static Result<std::unique_ptr<X11Input>> open(std::unique_ptr<Connection> connection, DamageWatch& damage,
                                                X11PersonWatch& person, AtspiKeyRelay& relay, HeldInput held);
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
  void await_reading(MonoTime deadline) override;
  std::optional<Point> button_held() override;
  bool release_all() override;
  void shut() override;

 private:
  X11Input(std::unique_ptr<Connection> connection, X11PersonWatch& person, KeyReceipt receipt, LockProbe probe,
           HeldInput held)
      : connection_(std::move(connection)), person_(person), receipt_(receipt), probe_(probe), held_(std::move(held)) {}

  // Sends what `fill` sends as one chunk; returns once the server has carried it out.
  Result<void> send_chunk(const std::function<Result<void>()>& fill);
  // These three only within a chunk.
  void send(std::uint8_t event, std::uint8_t detail, Point at = {});
  void send_key(xcb_keycode_t code, bool down);
  void send_button(std::uint8_t button, bool down);
  // With sending_ held.
  void release_held();
  void set_pressed_at(std::optional<Point> at);
  Result<void> pause(Milliseconds time, const Checkpoint& checkpoint);
  Result<std::vector<KeyPress>> find_keys(std::span<const std::string> keys);
  // Pressed in their order, and released in the opposite one.
  Result<void> chord_at_once(std::span<const xcb_keycode_t> codes);
  Result<void> chord_key_by_key(std::span<const xcb_keycode_t> codes);
  Result<void> drag_along(std::span<const Point> path, const Checkpoint& checkpoint, Progress& progress);

  // x11_typing.cpp
  class PlainKeyboard;
  Result<void> type_keys(std::span<const Keysym> keys, Milliseconds interval, const Checkpoint& checkpoint,
                         Progress& progress);
  Result<void> type_chunk(std::span<const Keysym> keys);
  Patience patience_for(std::uint32_t keys, Milliseconds interval) const;  // From now on.
  Result<void> confirm_read(const Patience& patience, const Checkpoint& checkpoint);

  std::unique_ptr<Connection> connection_;
  X11PersonWatch& person_;
  KeyReceipt receipt_;
  std::unique_ptr<KeyboardMap> map_;
  KeyPress shift_;
  std::timed_mutex sending_;  // A chunk, or a release.
  std::atomic<bool> shut_ = false;
  LockProbe probe_;
  HeldInput held_;  // At least what is down; keys_ and buttons_ run ahead of the server.
  KeySet keys_;
  ButtonSet buttons_;
  std::optional<Point> moved_to_;    // Where it put the pointer last.
  std::optional<Point> pressed_at_;  // Of buttons_, by button_down() or drag(). Changed with sending_ held.
};

}  // namespace da::actuator::x11
