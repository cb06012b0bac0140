// The command line of `replay`. Main thread.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "services/console/add_command.h"
#include "services/console/replay/commands.h"

namespace da::console {

struct ReplayFlags {
  std::vector<std::string> files;
  std::string as;
  std::string policy;
  std::string speed;
  std::int64_t wait_ms = 2'000;
  bool json = false;
  std::string test_of;
  std::filesystem::path test_directory;
  ShowReplayOptions show;
  ReplayTaskOptions task;
};

// `flags` must outlive the app.
void add_replay_command(CLI::App& app, ReplayFlags& flags, const AddCommand& add);

}  // namespace da::console
