// Starts a process for a bench and waits until it serves. The destructor kills it. If the bench is killed, the process
// sees the end of its lifeline. Owner's thread.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "lib/os/process/child_process.h"

namespace da::bench {

// build/<preset>, which has bin/ and tests/.
std::filesystem::path build_directory();

// Descriptors that the program inherits: it writes one byte to the first when it serves, and ends when the second ends.
struct Ties {
  int ready_fd;
  int lifeline_fd;
};

Result<os::ChildProcess> start_serving(const std::filesystem::path& program,
                                       const std::function<std::vector<std::string>(const Ties&)>& arguments,
                                       const std::vector<int>& more_inherited = {},
                                       const std::vector<std::string>& more_environment = {});

}  // namespace da::bench
