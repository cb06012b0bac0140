// Key names of the tools: a canonical spelling for each key, and aliases of people and models. Pure; any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace da::contract {

// "Return" -> "enter", "Control" -> "ctrl", "A" -> "a". A printable character names itself. nullopt if unknown.
std::optional<std::string> canonical_key(std::string_view name);

// ctrl, shift, alt, altgr, win: a chord keeps these pressed. Takes canonical names.
bool is_modifier(std::string_view key);

// All canonical names with more than one character ("enter", "f5", ...), for errors and documents.
std::span<const std::string_view> named_keys();

}  // namespace da::contract
