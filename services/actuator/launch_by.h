// How `launch` starts a program, as the configuration chooses. Any thread.
#pragma once

#include "lib/service/config.h"
#include "services/actuator/desktop/desktop.h"

namespace da::actuator {

enum class LaunchBy {
  kProcess,   // The actuator creates the process, and follows it.
  kRunDialog  // The actuator types the command line into the desktop's Run dialog.
};

// Reads "actuator.launch_by": "process" (the default) or "run-dialog". kInvalidArgument: another value, or the desktop
// has no Run dialog.
Result<LaunchBy> launch_by(const service::Config& config, Desktop& desktop);

}  // namespace da::actuator
