// Files that a person names on the command line, or leaves to what is shipped. Any thread.
#pragma once

#include <filesystem>
#include <string>

#include "lib/base/result.h"

namespace da::console {

// Where this program lies, and the services' beside it.
std::filesystem::path own_directory();

// Its canonical path; empty where none is given. `what` is for the error.
Result<std::filesystem::path> find_given(const std::string& what, const std::string& given);

// The policy's rule file: the given one, else the shipped one.
Result<std::filesystem::path> find_rules(const std::string& given);

}  // namespace da::console
