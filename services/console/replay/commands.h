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
  std::size_t from_step = 0;        // Plan to begin at, counted from 1; 0: the recording's beginning.
  bool publish = false;             // Publish on a bus of its own instead of printing.
  Milliseconds wait{0};             // Time for subscribers to connect before the first fact.
  Format format = Format::kLines;
};
int show_replay(const ShowReplayOptions& options);

struct ReplayTaskOptions {
  std::string file;
  std::filesystem::path rules;     // Empty: those of the recording.
  std::filesystem::path expected;  // File with the lines of make_test(); empty: compare with the recording.
  bool update = false;             // Write `expected` instead of comparing with it.
  std::string log_level;
  Format format = Format::kLines;
};
// kDone if the replay decides as the recording, kTaskFailed if not.
int replay_task(const ReplayTaskOptions& options);

// Writes a regression test into a new directory: the recording, its goal and rules, the model's saved calls, and the
// expected proposals and verdicts.
int make_test(const std::string& file, const std::filesystem::path& directory);
inline constexpr std::size_t kLargestTest = 256u << 20;  // Bytes of the recording.

}  // namespace da::console
