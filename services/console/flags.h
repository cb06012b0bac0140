// What the values of da-console's flags must be, said where they are read. Main thread.
#pragma once

#include <CLI/CLI.hpp>

namespace da::console {

// Text that goes to a service, whose messages hold nothing but UTF-8.
CLI::Validator utf8_text();

// The name of a tool; the error names the nearest one.
CLI::Validator known_tool();

// Becomes a whole number of milliseconds (parse_duration).
CLI::Validator milliseconds();

// A bound: none is not said by 0, which the services take for "not given".
CLI::Validator at_least_one();

}  // namespace da::console
