// Sends keyboard and mouse input with SendInput.
//
// Events are sent in chunks of at most 10 ms; the checkpoint is called between them. A chunk is not sent when another
// desktop has the input (a lock), when a person's input has come first, or when Windows would discard it because the
// target has a higher integrity level. Text is typed as Unicode characters, independently of the keyboard layout;
// type() returns when the application has read it, where that can be observed (InputReceipt). Windows rounds waiting
// times up to its timer's period: open_win32_desktop() sets that to 1 ms. One thread, except release_all(), shut() and
// button_held().
// Errors: kInvalidArgument (no such key or character), kPermissionDenied (a lock, or higher integrity),
// kFailedPrecondition (shut, or a person uses the desktop).
#pragma once

#include <atomic>
#include <functional>
#include <mutex>

#include "services/actuator/desktop/press_spacing.h"
#include "services/actuator/desktop/roles/checkpoint.h"
#include "services/actuator/desktop/roles/input.h"
#include "services/actuator/desktop/roles/session.h"
#include "services/actuator/desktop/win32/input/input_receipt.h"
#include "services/actuator/desktop/win32/input/keyboard/held_keys.h"
#include "services/actuator/desktop/win32/input/win32_person_watch.h"

namespace da::actuator::win32 {

class Win32Input final : public Input {
 public:
  // All of these must outlive it. `mark`: see InputMark.
  Win32Input(std::uintptr_t mark, HeldPage held, Win32PersonWatch& person, Session& session, const Clock& clock)
      : mark_(mark), person_(person), session_(session), clock_(clock), receipt_(clock), held_(std::move(held)) {}
  ~Win32Input() override { release_all(); }
  Win32Input(const Win32Input&) = delete;
  Win32Input& operator=(const Win32Input&) = delete;

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
  using Fill = std::function<void(InputChunk&)>;

  Result<void> send_to_point(const PressPlace& at, const Fill& fill,
                             const std::optional<Point>& pressed_at = std::nullopt);
  Result<void> send_to_focus(const Fill& fill);
  // `pressed_at`: where the chunk presses a button.
  Result<void> send_chunk(HWND target, const Fill& fill, const std::optional<Point>& pressed_at = std::nullopt);
  Result<void> send_events(std::span<INPUT> events);  // The caller holds sending_.
  void release_held();                                // The caller holds sending_.
  Result<void> may_send(HWND target);
  Result<void> pause(Milliseconds time, const Checkpoint& checkpoint);
  Result<void> drag_along(std::span<const Point> path, const Checkpoint& checkpoint, Progress& progress);

  // win32_typing.cpp
  Result<void> type_text(std::u32string_view text, Milliseconds interval, const Checkpoint& checkpoint,
                         Progress& progress);

  const std::uintptr_t mark_;
  Win32PersonWatch& person_;
  Session& session_;
  const Clock& clock_;
  InputReceipt receipt_;
  std::timed_mutex sending_;  // Held during a chunk or a release. Guards held_.
  HeldKeys held_;
  PressSpacing spacing_;
  std::uint64_t presses_ = 0;
  std::atomic<bool> shut_ = false;
};

}  // namespace da::actuator::win32
