// What the values of da-console's flags must be, said where they are read. Main thread.
#pragma once

#include <CLI/CLI.hpp>

namespace da::console {

// Text that goes to a service, whose messages hold nothing but UTF-8.
CLI::Validator utf8_text();

}  // namespace da::console
