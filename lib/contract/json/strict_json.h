// Reads untrusted JSON. Pure; any thread.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "lib/base/result.h"
#include "lib/contract/json/json_places.h"

namespace da::contract {

inline constexpr std::size_t kMaxJsonBytes = 1 << 20;
inline constexpr int kMaxJsonDepth = 16;

// Reads exactly one JSON value without duplicate keys. Errors name the position.
Result<nlohmann::json> read_strict_json(std::string_view text);

struct JsonLimits {
  std::size_t bytes = kMaxJsonBytes;
  int depth = kMaxJsonDepth;
  std::size_t keys = kMaxJsonBytes;  // Limit for each object.
};

struct JsonFault {
  TextPlace place;
  std::string message;
};

// The same for a file that a person writes: keeps the order of the keys, and an error has its place.
tl::expected<nlohmann::ordered_json, JsonFault> read_json_document(std::string_view text, const JsonLimits& limits);

// The given value for error messages: "an object", "the string \"abc\"", "the number 1.5".
std::string name_value(const nlohmann::json& value);

}  // namespace da::contract
