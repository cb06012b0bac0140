// Sends keyboard and mouse input to an X display through the XTEST extension.
//
// Events are sent in chunks of at most 10 ms; after each chunk the server is synchronized and the checkpoint called. A
// server grab during the chunk keeps a locker from taking the keyboard between the check for one and the last event. A
// chunk is not sent when a person's input has come first. The keyboard is plain during a step (PlainKeyboard), and
// buttons are sent through the inverse of the person's button map (ButtonMap). Text is typed through KeyboardMap;
// type() returns when the application has read its keys (KeyReceipt). Held keys and buttons are recorded for the
// guardian (HeldInput) and released by release_all() and the destructor. Owns its connection. One thread, except
// release_all() and shut(). Errors: kUnavailable, kInvalidArgument (no such key or character), kUnimplemented,
// kPermissionDenied (a locker), kFailedPrecondition (shut, or a person uses the desktop), kAborted (the pointer
// cannot be moved there).
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "services/actuator/desktop/press_spacing.h"
#include "services/actuator/desktop/roles/checkpoint.h"
#include "services/actuator/desktop/roles/input.h"
#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/input/button_map.h"
#include "services/actuator/desktop/x11/input/held_input.h"
#include "services/actuator/desktop/x11/input/key_receipt.h"
#include "services/actuator/desktop/x11/input/keyboard/keyboard_map.h"
#include "services/actuator/desktop/x11/input/keyboard/plain_keyboard.h"
#include "services/actuator/desktop/x11/input/press_watch.h"
#include "services/actuator/desktop/x11/input/x11_person_watch.h"
#include "services/actuator/desktop/x11/session/lock_probe.h"
#include "services/actuator/desktop/x11/windows/press_surface.h"

namespace da::actuator::x11 {

class X11Input final : public Input {
 public:
  // Takes over the connection.
  static Result<std::unique_ptr<X11Input>> open(std::unique_ptr<Connection> connection, DamageWatch& damage,
                                                X11PersonWatch& person, AtspiKeyRelay& relay, HeldInput held);
  ~X11Input() override;

  Result<void> move(Point to) override;
  Progress click(const PressPlace& at, Button button, int clicks, Milliseconds interval,
                 const Checkpoint& checkpoint) override;
  Result<void> await_own_click(Point at, Button button, const Checkpoint& checkpoint) override;
  Result<void> button_down(const PressPlace& at, Button button) override;
  Result<void> button_up(Point at, Button button) override;
  Progress scroll(const PressPlace& at, int dx, int dy, const Checkpoint& checkpoint) override;
  Progress drag(std::span<const Point> path, const std::string& surface, Button button,
                const Checkpoint& checkpoint) override;
  Progress tap(std::span<const std::string> keys, const Checkpoint& checkpoint) override;
  Result<void> chord(std::span<const std::string> keys, const Checkpoint& checkpoint) override;
  Result<void> hold(std::span<const std::string> keys) override;
  Progress type(std::u32string_view text, Milliseconds interval, const Checkpoint& checkpoint) override;
  Reading await_reading(MonoTime deadline) override;
  std::uint64_t presses() const override { return presses_; }
  std::optional<Point> button_held() override;
  bool release_all() override;
  void shut() override;

 private:
  X11Input(std::unique_ptr<Connection> connection, X11PersonWatch& person, KeyReceipt receipt, LockProbe probe,
           PressWatch press_watch, ButtonMap buttons, HeldInput held)
      : connection_(std::move(connection)),
        person_(person),
        receipt_(receipt),
        probe_(probe),
        press_watch_(press_watch),
        button_map_(buttons),
        held_(std::move(held)),
        plain_(*connection_, held_, person_) {}

  // Who gets the keys, as far as one round trip tells.
  struct KeyFocus {
    xcb_window_t window = XCB_NONE;
    bool grabbed = false;  // Another client has grabbed the keyboard.
    friend bool operator==(const KeyFocus&, const KeyFocus&) = default;
  };

  // Calls `body` with a plain keyboard, and restores the keyboard once the application has read its input. Calls within
  // `body` have no effect of their own.
  Result<void> with_plain_keyboard(PlainFor use, const std::function<Result<void>()>& body);
  // Calls `body` again when another program has changed the keyboard map before the chunk was sent.
  Result<void> with_current_map(const std::function<Result<void>()>& body);
  // Sends the events of `fill` as one chunk; returns once the server has processed it. Makes a keyboard plain again
  // that was disturbed during the step.
  Result<void> send_chunk(const std::function<Result<void>()>& fill);
  Result<void> try_chunk(const std::function<Result<void>()>& fill);
  // As send_chunk(), for keys. Calls the checkpoint, and sends nothing if the focus has changed since: while the server
  // is grabbed, no program can take the focus or the keyboard, so all keys of a chunk go to one window.
  Result<void> send_keys(const std::function<Result<void>()>& fill, const Checkpoint& checkpoint);
  Result<KeyFocus> key_focus();
  // What makes the keyboard unfit for the chunk. Call it with the server grabbed.
  Result<std::optional<std::string>> disturbance();
  // Call these three only within a chunk.
  void send(std::uint8_t event, std::uint8_t detail, Point at = {});
  void send_key(xcb_keycode_t code, bool down);
  void send_button(std::uint8_t button, bool down);
  KeySet held_keys();
  // Call these two with sending_ held.
  void release_held();
  void set_pressed_at(std::optional<Point> at);
  Result<void> pause(Milliseconds time, const Checkpoint& checkpoint);
  Result<std::vector<KeyPress>> find_keys(std::span<const std::string> keys);
  // These two press in order and release in reverse order.
  Result<void> chord_at_once(std::span<const xcb_keycode_t> codes, const Checkpoint& checkpoint);
  Result<void> chord_key_by_key(std::span<const xcb_keycode_t> codes, const Checkpoint& checkpoint);
  // Reads the keyboard map anew.
  Result<void> read_map();
  Result<void> find_shift();

  // x11_pointing.cpp
  // Within a chunk. Fails if the pointer does not arrive: nothing else moves it before the next event of the chunk.
  Result<void> send_pointer(Point to);
  // Within a chunk. A release releases the number that was pressed, whatever the map is by then.
  Result<void> press_button(Button button);
  Result<void> release_button(Button button);
  Result<void> turn_wheel(std::uint8_t wheel);
  // Returns once the server has let go of a released button. While a window manager that grabs clicks has not answered,
  // the server keeps them back, and would deliver them at the place of a later move.
  Result<void> await_release(Button button, const Checkpoint& checkpoint);
  // The child of the root that gets a click there.
  // `examined`: what root_child_at() has found before. nullopt: unknown.
  Result<void> still_gets_press(const PressPlace& at, std::optional<xcb_window_t> examined);
  // Moves the pointer, and fails with kAborted if another window comes under it then.
  Result<void> arrive(const PressPlace& at);
  // Within a chunk, when no button is held: presses the first one, and releases the last one.
  Result<void> press_first(const PressPlace& at, Button button, std::optional<xcb_window_t> examined);
  Result<void> release_last(Point at, Button button);
  // Within a chunk: nothing is clicked. Returns the error of the click.
  Error release_elsewhere(Point elsewhere, Button button);
  // Call it after a press: if another window got it, or may have got it, releases the button elsewhere, so that nothing
  // is clicked, and fails with kAborted.
  Result<void> confirm_press(const PressPlace& at, Button button);
  Result<void> no_foreign_button();
  Result<Point> pointer();
  // Call it before a drop: an application that is busy with the drag may hold the pointer's moves back for a while.
  Result<void> await_pointer(Point at, const Checkpoint& checkpoint);
  Result<void> click_in_turn(Progress& progress, Milliseconds interval, const Checkpoint& checkpoint,
                             const std::function<Result<void>()>& click_once);
  Result<void> click_as_one(Progress& progress, Milliseconds interval, const Checkpoint& checkpoint,
                            const std::function<Result<void>()>& click_once);
  // Whether applications begin a drag along this path.
  Result<void> is_long_enough(std::span<const Point> path);
  // Waits until the focused program has worked off what it got of a drag, whose pointer has come from `before` to `at`.
  Result<void> await_drag_work(Point at, Point before, const Checkpoint& checkpoint);
  Result<void> drag_along(std::span<const Point> path, const Checkpoint& checkpoint, Progress& progress);

  // x11_typing.cpp
  Result<void> type_text(std::span<const Keysym> keys, Milliseconds interval, const Patience& patience,
                         const Checkpoint& checkpoint, Progress& progress);
  Result<void> type_keys(std::span<const Keysym> keys, Milliseconds interval, const Checkpoint& checkpoint,
                         Progress& progress);
  Result<void> type_chunk(std::span<const Keysym> keys, const Checkpoint& checkpoint);
  Patience patience_for(std::uint32_t keys, Milliseconds interval) const;  // Its limit counts from now on.
  Result<void> confirm_read(const Patience& patience, const Checkpoint& checkpoint);

  std::unique_ptr<Connection> connection_;
  X11PersonWatch& person_;
  KeyReceipt receipt_;
  std::unique_ptr<KeyboardMap> map_;
  KeyPress shift_;
  std::timed_mutex sending_;  // Held during a chunk or a release.
  std::atomic<bool> shut_ = false;
  LockProbe probe_;
  PressWatch press_watch_;
  std::optional<PressSurface> pressed_on_;  // What should have got the last press; nullopt: unknown.
  ButtonMap button_map_;
  HeldInput held_;  // Contains at least the pressed keys; keys_ and buttons_ are ahead of the server.
  PlainKeyboard plain_;
  std::optional<PlainFor> plain_for_;  // During a step.
  bool disturbed_ = false;             // The last chunk was not sent, because the keyboard was not plain
  bool map_changed_ = false;           // or its map had changed.
  KeySet keys_;
  ButtonSet buttons_;                         // Numbers that were sent.
  std::array<std::uint8_t, 3> pressed_as_{};  // For each Button, the number that was sent for it; 0: it is up.
  std::optional<KeyFocus> expected_;          // Only a chunk that finds this focus is sent; nullopt: any.
  KeyFocus found_;                            // The focus that the last chunk found.
  PressSpacing spacing_;
  std::uint64_t presses_ = 0;
  std::optional<Point> moved_to_;    // Last pointer position that was sent.
  std::optional<Point> pressed_at_;  // Where the held button was pressed. Guarded by sending_.
};

}  // namespace da::actuator::x11
