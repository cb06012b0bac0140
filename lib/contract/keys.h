// Names of keys as tools take them. One canonical spelling each, with the aliases that people and models use.
// Pure; any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace da::contract {

// "Return" -> "enter", "Control" -> "ctrl", "A" -> "a". Any single printable character names its own key.
// nullopt where no key has that name.
std::optional<std::string> canonical_key(std::string_view name);

// ctrl, shift, alt, win: held in a chord while the rest is tapped. Takes canonical names.
bool is_modifier(std::string_view key);

// All canonical names that are words ("enter", "f5", ...), for errors and documents.
std::span<const std::string_view> named_keys();

}  // namespace da::contract
