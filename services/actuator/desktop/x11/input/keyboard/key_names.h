// Converts characters and canonical key names to X keysyms. Pure; any thread. Source: X11 protocol, appendix A (KEYSYM
// encoding): a Latin-1 character is its own keysym, another one is 0x01000000 + its code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace da::actuator::x11 {

using Keysym = std::uint32_t;

constexpr Keysym kNoSymbol = 0;
constexpr Keysym kShiftLeft = 0xffe1;

// Newline and tab become the keys Return and Tab. nullopt for control characters and invalid code points.
std::optional<Keysym> keysym_of_character(char32_t character);

// `name`: a canonical name (lib/contract/keys.h). nullopt when there is no such key.
std::optional<Keysym> keysym_of_key(std::string_view name);

// The name that a person uses for a key; nullopt when it has none.
std::optional<std::string> name_of_keysym(Keysym keysym);

}  // namespace da::actuator::x11
