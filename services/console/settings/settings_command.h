// `da-console settings`: shows, sets and removes settings. Main thread.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "services/console/add_command.h"
#include "services/console/goal_flags.h"

namespace da::console {

struct SettingsFlags {
  bool json = false;
  bool markdown = false;
  std::string name;
  std::vector<std::string> values;
};

// `flags` and `goal` must outlive the app. Flags of a goal, such as --max-turns, are shown with their effect.
void add_settings_command(CLI::App& app, SettingsFlags& flags, const GoalFlags& goal, const AddCommand& add);

}  // namespace da::console
