// How the command lines of folders reach the program: main.cpp gives each this function. Main thread.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <string>

namespace da::console {

// Registers a command of `parent`. `run` gets the value of --config, and returns the exit code; `flags` adds the
// command's flags.
using AddCommand = std::function<void(CLI::App& parent, const std::string& name, const std::string& help,
                                      std::function<int(const std::filesystem::path& config)> run,
                                      const std::function<void(CLI::App&)>& flags)>;

}  // namespace da::console
