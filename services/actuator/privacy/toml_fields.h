// Strict reading of the actuator's TOML files. Every error names file, line and column, but never a value.
// Pure; any thread. Slow to compile: include it in .cpp files only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lib/base/pattern.h"
#include "lib/base/result.h"
#include "lib/base/toml.h"

namespace da::actuator {

Error toml_error(const std::string& file, const toml::node& at, const std::string& message);

// All [[name]] tables of the file, which must contain nothing else.
Result<std::vector<toml::table*>> toml_tables(const std::string& file, toml::table& root, std::string_view name);

Result<std::string> toml_string(const std::string& file, const toml::node& node, std::string_view key);
// One string or a list of strings that is not empty.
Result<std::vector<std::string>> toml_strings(const std::string& file, const toml::node& node, std::string_view key);
Result<Pattern> toml_pattern(const std::string& file, const toml::node& node, std::string_view key);

}  // namespace da::actuator
