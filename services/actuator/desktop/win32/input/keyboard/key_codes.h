// Converts canonical key names (lib/contract/keys.h) to keys of a keyboard layout. Any thread.
#pragma once

#include <windows.h>

#include <optional>
#include <string_view>
#include <vector>

namespace da::actuator::win32 {

// Applications see the virtual key; games and remote desktops read the scan code. Each event carries both.
struct KeyCode {
  WORD virtual_key = 0;
  WORD scan_code = 0;
  bool extended = false;  // The key has the prefix E0, such as the arrow keys.
  friend bool operator==(const KeyCode&, const KeyCode&) = default;
};

// A key with the modifiers that the layout needs for it: shift for '?', altgr for '€'.
struct KeyPress {
  KeyCode key;
  std::vector<KeyCode> modifiers;
};

// The layout of the window with the keyboard focus.
HKL active_layout();

// nullopt when this layout has no such key.
std::optional<KeyPress> find_key(std::string_view name, HKL layout);

KeyCode key_code(WORD virtual_key, HKL layout);

}  // namespace da::actuator::win32
