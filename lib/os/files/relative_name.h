// Names of files that are relative to a folder. Pure.
#pragma once

#include <filesystem>

#include "lib/base/result.h"

namespace da::os {

// kInvalidArgument if the name is empty or absolute, or has a part "..".
Result<void> stays_below_its_folder(const std::filesystem::path& name);

}  // namespace da::os
