// Cases of the tools that act on files: file_delete, and launch, whose program is a file.
#pragma once

#include <filesystem>
#include <vector>

#include "tests/stale/cases.h"

namespace da::stale {

// The application only has to be there.
std::vector<Case> file_cases(const Application& application, const std::filesystem::path& directory);

}  // namespace da::stale
