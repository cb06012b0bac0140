// What a user would use instead: a program that is installed, and prints numbers. Blocks until it ends.
#pragma once

#include <string>
#include <vector>

#include "lib/base/result.h"

namespace da::bench {

// What it wrote to stdout. kNotFound where the program is missing, kUnavailable where it failed.
Result<std::string> output_of(const std::vector<std::string>& command);

// The numbers that a script of tests/bench/peers prints; at least as many as asked for.
Result<std::vector<double>> run_script(const std::string& name, const std::vector<std::string>& arguments,
                                       std::size_t numbers);

}  // namespace da::bench
