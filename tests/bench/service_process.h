// A process that the benches start, and wait for until it serves. Killed in the destructor, and it sees its lifeline
// end when the bench itself is killed. Owner's thread.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "lib/os/child_process.h"

namespace da::bench {

// build/<preset>, where bin/ and tests/ lie.
std::filesystem::path build_directory();

// Descriptors that the program inherits: it writes one byte on the first when it serves, and ends with the second.
struct Ties {
  int ready_fd;
  int lifeline_fd;
};

Result<os::ChildProcess> start_serving(const std::filesystem::path& program,
                                       const std::function<std::vector<std::string>(const Ties&)>& arguments,
                                       const std::vector<int>& more_inherited = {},
                                       const std::vector<std::string>& more_environment = {});

}  // namespace da::bench
