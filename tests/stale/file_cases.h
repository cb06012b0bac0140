// Cases of the tools that act on files: file_delete, and launch (the program file).
#pragma once

#include <filesystem>
#include <vector>

#include "tests/stale/cases.h"

namespace da::stale {

// The application is open but not used.
std::vector<Case> file_cases(const Application& application, const std::filesystem::path& directory);

}  // namespace da::stale
