// The flags of a goal, under the headings of --help, and what they must not say together. Main thread.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "services/console/commands/commands.h"

namespace da::console {

// What the flags fill in.
struct GoalFlags {
  GoalOptions options;
  std::string goal_file;
  std::vector<std::string> variables;   // "NAME=VALUE"
  std::int64_t approval_expiry_ms = 0;  // 0: not given.
  std::int64_t time_limit_ms = 0;
  bool quiet = false;
  bool verbose = false;
};

// `flags` must outlive the app.
void add_goal_flags(CLI::App& app, GoalFlags& flags);

// Whether the command line has a goal, by --goal or --goal-file.
bool has_goal(const CLI::App& app);

// After parsing: why the flags of a goal cannot be meant, and what to do; nullopt where they can.
std::optional<std::string> contradiction(const CLI::App& app, const GoalFlags& flags);

}  // namespace da::console
