// JSON that is safe to print on a terminal. Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace da::console {

// Writes control, bidirectional and invisible characters as \uXXXX; returns "{}" for invalid UTF-8.
std::string escape_invisible(const std::string& json);

// One value on one line; replaces invalid UTF-8.
std::string json_line(const nlohmann::json& value);
std::string ordered_json_line(const nlohmann::ordered_json& value);

}  // namespace da::console
