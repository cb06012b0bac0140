// Environment variables of the process, or of a test.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace da::planner::model {

// Returns nullopt if the variable is not set or empty.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
Environment process_environment();

}  // namespace da::planner::model
