// Makes the keyboard plain for a step, so that a key does what its name says, and restores it afterwards.
//
// Clears locked and latched modifiers, the keyboard group, and the controls that drop, delay or repeat keys; lifts keys
// that another program holds down; and makes the server use the XTEST keyboard's map, which is the one for our keys.
// What cannot be cleared, such as a key that a person holds, is an error that names it. HeldInput records what is
// cleared, so that the guardian restores it after a death. Uses the connection of Input; one thread.
// Errors: kUnavailable (the server is gone, or the keyboard cannot be made plain).
#pragma once

#include <array>
#include <optional>
#include <string>

#include "services/actuator/desktop/x11/connection.h"
#include "services/actuator/desktop/x11/input/held_input.h"
#include "services/actuator/desktop/x11/input/keyboard/keyboard_state.h"
#include "services/actuator/desktop/x11/input/x11_person_watch.h"

namespace da::actuator::x11 {

// A click means the same with Caps Lock, with Num Lock and in any keyboard group.
enum class PlainFor { kPointer, kKeys };

class PlainKeyboard {
 public:
  PlainKeyboard(Connection& connection, HeldInput& held, X11PersonWatch& person)
      : connection_(connection), held_(held), person_(person), xkb_(use_xkb(connection)) {}
  PlainKeyboard(const PlainKeyboard&) = delete;
  PlainKeyboard& operator=(const PlainKeyboard&) = delete;

  // Call it at the begin of a step, and again when the keyboard has been disturbed. `own`: keys that the caller holds.
  Result<void> clear(PlainFor use, const KeySet& own);
  // What disturbs the keyboard now; nullopt: it is plain. One round trip. With the server grabbed, the answer lasts.
  Result<std::optional<std::string>> disturbance(PlainFor use, const KeySet& own);
  // Whether restore() changes what an application sees, so that it must have read its input before.
  bool changed_for_applications() const { return cleared_for_applications_ || lifted_.any(); }
  // Call it at the end of a step.
  void restore();

  // The caller releases this key: its release does not count as another program's.
  void note_release(xcb_keycode_t code) { ++own_releases_[code]; }

 private:
  void use_xtest_map(const KeySet& own);
  void clear_state(const KeyboardState& wanted, const KeyboardState& now);
  Result<KeySet> held_by_programs();
  Result<void> lift(KeySet keys);
  void press_lifted();
  void send_key(std::uint8_t event, std::size_t code);
  std::optional<xcb_keycode_t> control_key();
  std::string describe(PlainFor use, const KeyboardReading& reading, const KeySet& own);
  std::string key_name(std::size_t code);

  Connection& connection_;
  HeldInput& held_;
  X11PersonWatch& person_;
  const bool xkb_;
  std::optional<KeyboardState> cleared_;  // State to restore.
  bool cleared_for_applications_ = false;
  KeySet lifted_;  // Keys to press again.
  // Counts of releases by all when a key was lifted, and by the caller since then.
  std::array<std::uint32_t, 256> releases_before_{};
  std::array<std::uint32_t, 256> own_releases_{};
};

}  // namespace da::actuator::x11
