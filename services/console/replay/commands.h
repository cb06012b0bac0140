// The commands that replay recordings (docs/RECORDING.md). Each prints its errors on stderr and returns the exit code.
// Main thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "services/console/commands/commands.h"

namespace da::console {

// In all commands, `file` is a path, or names a recording of embedded runs (recordings/find_recording.h).

struct ShowReplayOptions {
  std::string file;
  std::vector<std::string> topics;  // Empty: all that people are shown.
  double speed = 1;                 // 0: as fast as possible.
  std::size_t from_step = 0;        // From 1; 0: from the beginning.
  bool publish = false;             // On a bus of its own instead of the terminal.
  Milliseconds wait{0};             // Before the first fact is published.
  Format format = Format::kLines;
};
int show_replay(const ShowReplayOptions& options);

struct ReplayTaskOptions {
  std::string file;
  std::filesystem::path rules;  // Empty: those of the recording.
  std::string log_level;
  Format format = Format::kLines;
};
// kDone if the replay decides as the recording, kTaskFailed if not.
int replay_task(const ReplayTaskOptions& options);

}  // namespace da::console
