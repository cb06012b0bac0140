// Runs a peer program that a user would use instead, and reads the numbers that it prints. Blocks until it ends.
#pragma once

#include <string>
#include <vector>

#include "lib/base/result.h"

namespace da::bench {

// Its stdout. kNotFound if the program is missing, kUnavailable if it failed.
Result<std::string> output_of(const std::vector<std::string>& command);

// The numbers that a script in tests/bench/peers prints; an error if there are fewer than `numbers`.
Result<std::vector<double>> run_script(const std::string& name, const std::vector<std::string>& arguments,
                                       std::size_t numbers);

}  // namespace da::bench
