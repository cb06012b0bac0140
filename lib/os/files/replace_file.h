// Replaces a file that people edit. Any thread.
#pragma once

#include <filesystem>
#include <string_view>

#include "lib/base/result.h"

namespace da::os {

// Replaces the file, or creates it: writes a file beside it, syncs, renames. After an error the old file is unchanged,
// and nothing is left beside it. Keeps the mode; a link stays, and the file that it names is replaced.
// kPermissionDenied: the file or its directory may not be written.
Result<void> replace_file(const std::filesystem::path& path, std::string_view content);

}  // namespace da::os
