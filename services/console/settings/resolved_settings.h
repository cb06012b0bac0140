// The settings of one run: flag before environment before settings file before default. Pure; any thread.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lib/base/result.h"
#include "services/console/settings/settings_file.h"

namespace da::console {

enum class SettingSource { kDefault, kFile, kEnvironment, kFlag };

struct ResolvedSetting {
  const Setting* setting = nullptr;
  std::optional<SettingValue> value;  // nullopt: the default.
  SettingSource source = SettingSource::kDefault;
  std::string from;  // The flag, the variable (with its file, if it is from .env) or the settings file; for people.
};
using ResolvedSettings = std::vector<ResolvedSetting>;  // All, in the order of the table.

// Texts that the command line gave, by the setting's name; one for each use of the flag.
using GivenFlags = std::map<std::string, std::vector<std::string>, std::less<>>;

struct Variable {
  std::string value;
  std::string file;  // The .env file; empty: the real environment.
};
// nullopt if the variable is not set or empty.
using EnvironmentLookup = std::function<std::optional<Variable>(const std::string& name)>;

struct SettingInputs {
  GivenFlags flags;
  EnvironmentLookup environment;
  SettingValues file;
  std::string file_name;
};

// A list in a variable is separated by ";". A model or an address belongs to the planner that the same source names: if
// a source before it names another planner, they are left out, so that no key goes to another provider's server.
// kInvalidArgument: names the flag or the variable.
Result<ResolvedSettings> resolve_settings(const SettingInputs& inputs);

// "default", "file", "environment", "flag".
const char* word_of(SettingSource source);

}  // namespace da::console
