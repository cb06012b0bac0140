// Environments and settings for tests.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>

#include "services/planner/model/settings/settings.h"

namespace da::planner::model {

inline Environment environment_with(std::map<std::string, std::string> variables) {
  return [variables](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

// The settings of a configuration, with an empty environment.
inline Result<Settings> try_settings(const std::string& toml) {
  return read_settings(*service::Config::parse(toml, "planner.toml"), environment_with({}));
}

inline Settings settings_of(const std::string& toml) {
  const auto settings = try_settings(toml);
  EXPECT_TRUE(settings) << settings.error().message;
  return settings.value_or(Settings());
}

}  // namespace da::planner::model
