// JSON as a terminal may show it. Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace da::console {

// The same JSON, with control, bidirectional and invisible characters as \uXXXX; "{}" where it is not UTF-8.
std::string escape_invisible(const std::string& json);

// One value on one line; what is not UTF-8 in it is replaced.
std::string json_line(const nlohmann::json& value);

}  // namespace da::console
