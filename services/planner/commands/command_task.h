// The planner of a script's commands: they come while the task runs. Any thread.
#pragma once

#include <memory>

#include "lib/base/result.h"
#include "services/planner/preparation.h"

namespace da::planner {

// The name of this planner, in StartTaskRequest and in rules.
inline constexpr const char* kCommands = "commands";

Result<std::unique_ptr<PreparedTask>> prepare_command_task(const Preparation& preparation);

}  // namespace da::planner
