// Finds what would change the effect of our keys and clicks: modifiers that somebody holds down or that Sticky Keys
// keep, Filter Keys, Caps Lock. Any thread. Not verified on real Windows.
#pragma once

#include <optional>
#include <string>

#include "services/actuator/desktop/win32/input/keyboard/held_keys.h"

namespace da::actuator::win32 {

// Why `events` would not do what they are meant to do, and what to do about it; nullopt: they would. `held`: the keys
// that this process holds, which do not count. Releases and moves are never obstructed.
std::optional<std::string> keyboard_obstacle(std::span<const INPUT> events, const HeldKeys& held);

// The modifier that Sticky Keys keep for the next key, or until it is pressed again; "" if they keep none. `flags`:
// STICKYKEYS.dwFlags.
std::string kept_by_sticky_keys(DWORD flags);

// Whether Caps Lock exchanges capital and small letters.
bool caps_lock_is_on();

}  // namespace da::actuator::win32
