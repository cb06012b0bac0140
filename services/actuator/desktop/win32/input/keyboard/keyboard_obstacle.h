// What would change the effect of our keys and clicks: modifiers that somebody holds down, Filter Keys, Caps Lock.
// Any thread. Not verified on real Windows.
#pragma once

#include <optional>
#include <string>

#include "services/actuator/desktop/win32/input/keyboard/held_keys.h"

namespace da::actuator::win32 {

// Why `events` would not do what they are meant to do, and what to do about it; nullopt: they would. `held`: the keys
// that this process holds, which do not count. Releases and moves are never obstructed.
std::optional<std::string> keyboard_obstacle(std::span<const INPUT> events, const HeldKeys& held);

// Whether Caps Lock exchanges capital and small letters.
bool caps_lock_is_on();

}  // namespace da::actuator::win32
