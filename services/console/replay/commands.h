// The command that replays recordings (docs/RECORDING.md). Prints errors on stderr and returns the exit code. Main
// thread.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "services/console/commands/commands.h"

namespace da::console {

struct ReplayTaskOptions {
  std::string file;                 // As find_recording.h.
  std::filesystem::path rules;      // Empty: those of the recording.
  std::string log_level;
  Format format = Format::kLines;
};
// kDone if the replay decides as the recording, kTaskFailed if not.
int replay_task(const ReplayTaskOptions& options);

}  // namespace da::console
