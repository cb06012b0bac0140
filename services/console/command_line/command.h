// One command of da-console as a row of a table (command_table.h). The parser, --help and the overview in
// docs/CONSOLE.md come from the rows. Main thread.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <string>

#include "services/console/command_line/goal_flags.h"

namespace da::console {

// Flags of the whole program, which may stand before or after a command.
struct CommonFlags {
  std::filesystem::path config;
  bool json = false;
  GoalFlags goal;

  Format format() const { return json ? Format::kJson : Format::kLines; }
  // The desktop of services that a command starts.
  const std::string& backend() const { return goal.options.embedded.backend; }
};

// Headings of --help, in its order.
enum class CommandGroup { kStart, kAnswer, kStop, kLook, kRecords, kProfiles, kPolicy, kDeployment, kMachine };
const char* title_of(CommandGroup group);

struct Command {
  // Carries the command out and returns the exit code.
  using Run = std::function<int()>;
  // Adds the command's flags to the parser. The returned function is called once they are parsed. `command` and
  // `common` outlive it.
  using Add = std::function<Run(CLI::App& command, CommonFlags& common)>;

  std::string name;  // "keys list" is the command `list` below the row "keys", which must come first.
  CommandGroup group;
  std::string summary;  // One line of --help.
  std::string details;  // Printed by the command's own --help, below its flags; may be empty.
  Add add;
};

// The `add` of a row that only has commands below it, such as "keys".
inline Command::Run needs_command(CLI::App&, CommonFlags&) { return {}; }

// Adds --json to the help of a command that has it.
void add_json(CLI::App& command, CommonFlags& common, const std::string& meaning);

// Prints the problem on stderr, and returns the exit code for bad usage.
int bad_usage(const std::string& problem);

}  // namespace da::console
