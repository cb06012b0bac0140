// The command lines of `init` and `keys`. Main thread.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

#include "services/console/add_command.h"
#include "services/console/commands/commands.h"

namespace da::console {

// The parsed flags of all these commands; only one command runs.
struct DeploymentFlags {
  InitOptions init;
  std::filesystem::path directory;
  std::string key_name;
};

// `json`: --json, which may also stand before the command. It and `flags` must outlive the app.
void add_deployment_commands(CLI::App& app, DeploymentFlags& flags, bool& json, const AddCommand& add);

}  // namespace da::console
