// The flags of a goal, under the headings of --help, and which of them exclude each other. Also checks of values and
// errors for all commands. Main thread.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "services/console/commands/commands.h"
#include "services/console/settings/resolved_settings.h"

namespace da::console {

inline constexpr const char* kTimeValue = "TIME (5s, 10m, 1h)";

// Text that goes into protobuf messages, which must be UTF-8.
CLI::Validator utf8_text();
// The name of a tool; the error suggests the nearest name.
CLI::Validator known_tool();
// Turns a duration into whole milliseconds (parse_duration).
CLI::Validator milliseconds();
// A limit, from 1: in messages to the services, 0 means "not given".
CLI::Validator at_least_one();

struct GoalFlags {
  GoalOptions options;
  std::string goal_file;
  std::vector<std::string> variables;  // "NAME=VALUE"
  GivenFlags settings;                 // Passed to task_options() (settings/run_settings.h).
  bool no_env_file = false;
  bool quiet = false;
  bool verbose = false;
};

// `flags` must outlive the app.
void add_goal_flags(CLI::App& app, GoalFlags& flags);

// True if --goal or --goal-file was given.
bool has_goal(const CLI::App& app);

// Returns an error for flags that contradict each other, nullopt if there are none. Call it after parsing.
std::optional<std::string> contradiction(const CLI::App& app, const GoalFlags& flags);

// Likewise for `stdio`, which takes the flags of a goal that do not depend on what the goal says.
std::optional<std::string> stdio_contradiction(const CLI::App& app, const GoalFlags& flags);

// Likewise for `run`, whose profile decides.
std::optional<std::string> run_contradiction(const CLI::App& app, const GoalFlags& flags);

// One line for people about an error that `app` has just thrown, with a suggestion (usage.cpp).
std::string usage_problem(const CLI::App& app, const CLI::ParseError& error);

}  // namespace da::console
