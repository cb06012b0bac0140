// The keyboard's locked state that typing puts aside: Caps Lock and the keyboard group. The whole display's.
#pragma once

#include <cstdint>
#include <optional>

#include "services/actuator/desktop/x11/connection.h"

namespace da::actuator::x11 {

struct KeyboardLocks {
  std::uint8_t modifiers = 0;  // Of these, Caps Lock alone.
  std::uint8_t group = 0;
  friend bool operator==(const KeyboardLocks&, const KeyboardLocks&) = default;
};

// nullopt where the server has no XKB.
std::optional<KeyboardLocks> read_keyboard_locks(Connection& connection);
// Only after read_keyboard_locks() has found some on this connection. Does not wait for the server.
void set_keyboard_locks(Connection& connection, const KeyboardLocks& locks);

}  // namespace da::actuator::x11
