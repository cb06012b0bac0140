// From characters and canonical key names to X keysyms. Pure; any thread.
// Source: X11 protocol, appendix A (KEYSYM encoding): Latin-1 is its own keysym, other characters are 0x01000000 +
// code.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace da::actuator::x11 {

using Keysym = std::uint32_t;

constexpr Keysym kNoSymbol = 0;
constexpr Keysym kShiftLeft = 0xffe1;

// Newline and tab are the keys Return and Tab. nullopt for control characters and what is no character.
std::optional<Keysym> keysym_of_character(char32_t character);

// Of a canonical name of lib/contract/keys.h. nullopt where there is no such key.
std::optional<Keysym> keysym_of_key(std::string_view name);

}  // namespace da::actuator::x11
