// Chords in one spelling: "ctrl+shift+esc". Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lib/base/result.h"

namespace da::policy {

// These keys, in any order and spelling, each once: modifiers first (ctrl, alt, altgr, shift, win), then the other keys
// by name. kInvalidArgument for an unknown key, or for no key.
Result<std::string> normalised_chord(std::span<const std::string> keys);

// The chord of all keys of a hotkey, then the chords that the desktop may recognise while the keys go down.
// Errors as above.
Result<std::vector<std::string>> hotkey_chords(std::span<const std::string> keys);

}  // namespace da::policy
