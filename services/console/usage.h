// What is wrong with a command line, and what was probably meant. Main thread.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace da::console {

// For people, in one line. The app has just thrown the error.
std::string usage_problem(const CLI::App& app, const CLI::ParseError& error);

}  // namespace da::console
