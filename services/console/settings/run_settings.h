// The settings of one command that starts services: reads flags, environment, .env files and the settings file, and
// applies them to the options of the task. Main thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lib/base/result.h"
#include "services/console/command_line/goal_flags.h"
#include "services/console/environment/environment_files.h"
#include "services/console/settings/resolved_settings.h"

namespace da::console {

struct RunSettings {
  ResolvedSettings settings;
  TakenVariables taken;  // Variables from .env files.
};

enum class DotenvFiles { kRead, kIgnore };

// `profile`: a rule profile, beside which a .env file may be; empty: none.
Result<RunSettings> read_run_settings(const GivenFlags& flags, DotenvFiles dotenv,
                                      const std::filesystem::path& profile);

// kInvalidArgument: a limit of money without a price.
Result<void> apply_settings(const RunSettings& run, GoalOptions& options);

// The options that a goal, `stdio` and `run` share. With --config, only the flags count: such services have
// configurations of their own. Prints on stderr which keys come from which file.
Result<GoalOptions> task_options(const GoalFlags& flags, const std::filesystem::path& config,
                                 const std::filesystem::path& profile = {});

// What a goal with the doctor's flags would use.
Result<GoalOptions> doctor_task_options(GoalFlags flags, const DoctorOptions& doctor);

}  // namespace da::console
