// The command line of the commands for recordings. Main thread.
#pragma once

#include <CLI/CLI.hpp>

#include "services/console/add_command.h"
#include "services/console/recordings/commands.h"

namespace da::console {

// The parsed flags of all these commands; only one command runs.
struct RecordingFlags {
  ListRecordingsOptions list;
  std::string file;
  bool json = false;
  std::filesystem::path output;
  bool base64 = false;
  CatOptions cat;
  ExtractOptions extract;
  RecordOptions record;
  std::int64_t duration_ms = 0;  // 0: not given.
  std::int64_t rotate_every_ms = 0;
  std::uint32_t rotate_mb = 0;
};

// `flags` must outlive the app.
void add_recording_commands(CLI::App& app, RecordingFlags& flags, const AddCommand& add);

}  // namespace da::console
