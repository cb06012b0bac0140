// `da-actuator install` and `da-actuator uninstall`, which only Windows has: on Linux, deploy/systemd has the units.
// They run Windows' own schtasks and netsh, and show each command. Main thread.
#pragma once

#include <optional>
#include <string>

namespace da::actuator {

// Returns the text for --help; empty on systems without these commands.
std::string install_help();

// The exit code: 0 done, 1 failed (the reason is on stderr), 2 bad usage. nullopt: the arguments name no such command.
std::optional<int> run_install_command(int argc, char** argv);

}  // namespace da::actuator
