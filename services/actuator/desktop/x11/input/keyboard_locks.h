// The keyboard state that typing clears: Caps Lock and the locked keyboard group. It is shared by the whole display.
#pragma once

#include <cstdint>
#include <optional>

#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {

struct KeyboardLocks {
  std::uint8_t modifiers = 0;  // Only Caps Lock.
  std::uint8_t group = 0;
  friend bool operator==(const KeyboardLocks&, const KeyboardLocks&) = default;
};

// nullopt when the server has no XKB.
std::optional<KeyboardLocks> read_keyboard_locks(Connection& connection);
// Call only after read_keyboard_locks() has succeeded on this connection. Does not wait for the server.
void set_keyboard_locks(Connection& connection, const KeyboardLocks& locks);

}  // namespace da::actuator::x11
