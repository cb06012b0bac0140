// What the conditions of a rule capture, for the rest of the rule in the same cycle. Pure; any thread.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "lib/base/result.h"

namespace da::planner::rules {

// Mark-I's keys of a captured value: {"value": ..., "_source_region_for_capture_": "region"}.
inline constexpr char kValueKey[] = "value";
inline constexpr char kSourceRegionKey[] = "_source_region_for_capture_";

// Captured values by name. Foreign: they come from the screen or from a model.
using Variables = std::map<std::string, nlohmann::json, std::less<>>;

nlohmann::json captured(nlohmann::json value, const std::string& region);

// The value at a path such as "name", "name.value.box.0" or "name.items.1.label"; the path may leave out "value". An
// object that captured() did not make is its own value. kNotFound says which part is missing.
Result<nlohmann::json> find_value(const Variables& variables, std::string_view path);

// Keys of objects and indices of lists, with dots: "data.items.0.name". kNotFound says which part is missing.
Result<nlohmann::json> value_at(const nlohmann::json& root, std::string_view path);

// Returns the text for typing and comparing: a string without quotation marks, an object or a list as JSON.
std::string value_text(const nlohmann::json& value);

}  // namespace da::planner::rules
