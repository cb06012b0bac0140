// Strict reading of the actuator's TOML files: every error names file, line and column, and never a value.
// Pure; any thread. Slow to compile: for .cpp files alone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lib/base/pattern.h"
#include "lib/base/result.h"
#include "lib/base/toml.h"

namespace da::actuator {

Error toml_error(const std::string& file, const toml::node& at, const std::string& message);

// Empty where the file does not have it. The file holds nothing but `[[name]]` tables.
Result<std::vector<toml::table*>> toml_tables(const std::string& file, toml::table& root, std::string_view name);

Result<std::string> toml_string(const std::string& file, const toml::node& node, std::string_view key);
// One string or a list of them; not an empty list.
Result<std::vector<std::string>> toml_strings(const std::string& file, const toml::node& node, std::string_view key);
Result<Pattern> toml_pattern(const std::string& file, const toml::node& node, std::string_view key);

}  // namespace da::actuator
