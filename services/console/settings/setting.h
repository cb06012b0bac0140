// The table of settings: what a flag, an environment variable or the settings file can set for services that the
// console starts. Flags, their help, the file, its checks, `da-console settings` and docs/SETTINGS.md all come from it.
// Constants; any thread.
//
// Nothing here can weaken the policy: rules, write lock, allowed tools, secrets and masks are flags only, because a
// file or a variable would apply to every later run without being seen.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "services/console/commands/commands.h"

namespace da::console {

enum class SettingKind {
  kText,
  kPath,      // Absolute when it is used.
  kCount,     // A whole number from `least` to `most`.
  kMoney,     // A number above 0, up to `most`.
  kDuration,  // "10m" (parse_duration).
  kSwitch,    // true or false.
  kWord,      // One of `words`.
  kTexts,     // A list of texts.
};

// A key of the [planner] section.
struct PlannerKey {
  const char* key;
};
// Parts of the [log] section.
enum class LogPart { kEnvironment, kLevel, kConsole, kFile, kFiles };
// The setting's place: the configuration of a service, or an option of the task.
using SettingTarget = std::variant<PlannerKey, LogPart, std::uint32_t GoalOptions::*, Milliseconds GoalOptions::*>;

// The commands that refuse the setting's flag.
enum class Concerns {
  kEveryTask,
  kOwnServices,  // Refused with --config.
  kModel,        // Refused like kOwnServices, and also for `stdio` and the plain planner.
  kDecision,     // Refused like kModel, and also for `run`, whose profile decides.
};

struct Setting {
  const char* name;  // Key in the settings file.
  SettingKind kind;
  SettingTarget target;
  Concerns concerns;
  const char* flag;
  const char* group;    // The heading of the flag in --help.
  const char* value;    // "N", the flag's value in --help. For a switch: the text that the flag means.
  const char* initial;  // The default, for people.
  const char* meaning;
  std::uint64_t least = 1;  // Used only for kCount.
  std::uint64_t most = UINT32_MAX;
  std::span<const char* const> words = {};
  const char* variable = nullptr;      // Null: DA_ and the name in capitals.
  const char* flag_meaning = nullptr;  // Of a switch, whose flag takes no value. Null: `meaning`.
};

std::span<const Setting> all_settings();
// Null if there is none.
const Setting* find_setting(std::string_view name);
std::vector<std::string> setting_names();
// The environment variable that sets it.
std::string variable_of(const Setting& setting);

// "a whole number from 1 to 50", for people.
std::string kind_text(const Setting& setting);

}  // namespace da::console
