// What changes the effect of a key, beside the keyboard map: locked and latched modifiers, the keyboard group, and the
// XKB controls that drop, delay, latch or repeat keys (AccessX). The whole display shares it. One thread; uses the
// caller's connection. Errors: kUnavailable.
#pragma once

#include <xcb/xcb.h>

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>

#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {

using KeySet = std::bitset<256>;

struct KeyboardState {
  std::uint8_t locked = 0;  // Modifiers, as in XCB_MOD_MASK_*.
  std::uint8_t latched = 0;
  std::uint8_t group = 0;  // Locked.
  std::uint8_t latched_group = 0;
  std::uint16_t controls = 0;  // XCB_XKB_BOOL_CTRL_*, only those of kDisturbingControls.
  friend bool operator==(const KeyboardState&, const KeyboardState&) = default;
  bool plain_but_for_controls() const { return locked == 0 && latched == 0 && group == 0 && latched_group == 0; }
};

// Repeat, slow, bounce, sticky and mouse keys, and the keys that turn those on.
inline constexpr std::uint16_t kDisturbingControls = 0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x40;
inline constexpr std::uint16_t kRepeatKeys = 0x1;

struct KeyboardReading {
  KeyboardState state;
  std::uint8_t modifiers = 0;  // All that apply now, those of pressed keys too.
  std::uint8_t group = 0;      // That applies now.
  KeySet down;                 // Keys that are pressed on any device of the keyboard.
};

// False when the server has no XKB. Call it once for each connection, before the functions below.
bool use_xkb(Connection& connection);

// One round trip.
Result<KeyboardReading> read_keyboard(Connection& connection);

// The keys that are pressed on one input device. One round trip.
Result<KeySet> keys_down_on(Connection& connection, std::uint16_t device);

// Sets locks, latches and group, and turns each control of `affected` on or off. Does not wait for the server.
void set_keyboard_state(Connection& connection, const KeyboardState& state, std::uint16_t affected);

// "Caps Lock, Shift" for messages.
std::string modifier_names(std::uint8_t modifiers);

}  // namespace da::actuator::x11
