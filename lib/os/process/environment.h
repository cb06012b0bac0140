// Environment variables and program arguments, as UTF-8 on every platform. The environment belongs to the process: read
// it from any thread, but change it only before other threads start.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace da::os {

std::optional<std::string> environment_variable(const std::string& name);
void set_environment_variable(const std::string& name, const std::string& value);
// Removes the variable. Also overwrites its value in this process's memory, as far as the platform shows where it is.
void wipe_environment_variable(const std::string& name);
std::vector<std::string> environment_variable_names();

// The arguments without the program's name. Windows passes main() text in the process's code page, so `argv` is not
// used there.
std::vector<std::string> program_arguments(int argc, const char* const* argv);

}  // namespace da::os
