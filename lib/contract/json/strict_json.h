// Reads untrusted JSON. Pure; any thread.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "lib/base/result.h"

namespace da::contract {

inline constexpr std::size_t kMaxJsonBytes = 1 << 20;
inline constexpr int kMaxJsonDepth = 16;

// Reads exactly one JSON value without duplicate keys. Errors name the position.
Result<nlohmann::json> read_strict_json(std::string_view text);

// The given value for error messages: "an object", "the string \"abc\"", "the number 1.5".
std::string name_value(const nlohmann::json& value);

}  // namespace da::contract
