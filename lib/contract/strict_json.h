// Reads JSON from outside without trust. Pure; any thread.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "lib/base/result.h"

namespace da::contract {

inline constexpr std::size_t kMaxJsonBytes = 1 << 20;
inline constexpr int kMaxJsonDepth = 16;

// Exactly one JSON value with no duplicate keys. Errors say where it broke.
Result<nlohmann::json> read_strict_json(std::string_view text);

// "an object", "the string \"abc\"", "the number 1.5": what was given, for error messages.
std::string name_value(const nlohmann::json& value);

}  // namespace da::contract
