// The environment variables that a service inherits: only those that it needs. Any thread.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace da::console {

// Variables with a model provider's key. Only the planner inherits them.
inline constexpr std::array<std::string_view, 3> kModelKeys = {"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"};

// Changes to the console's own environment.
struct EnvironmentChanges {
  std::map<std::string, std::string> model_keys;  // Only for the planner.
  std::set<std::string> removed;                  // No service inherits these variables.
};

std::vector<std::string> environment_of(std::string_view service, const EnvironmentChanges& changes = {});

}  // namespace da::console
