// Finds files that a person names on the command line, and files of the installation. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lib/base/result.h"

namespace da::console {

// The directory of this program and the services.
std::filesystem::path own_directory();
// The program of a service, such as "policy".
std::filesystem::path service_program(const std::string& service);

// The canonical path; empty if `given` is empty. `what` describes the file in errors.
Result<std::filesystem::path> find_given(const std::string& what, const std::string& given);

// Where the shipped rule file may be, for programs in these directories, the likeliest first.
std::vector<std::filesystem::path> rule_places(const std::vector<std::filesystem::path>& directories);

// The policy's rule file: `given`, or the shipped one if empty: in the prefix of the installation, also if the program
// was started through a link.
Result<std::filesystem::path> find_rules(const std::string& given);

}  // namespace da::console
