// Files that stay open, by their descriptors. POSIX. Any thread.
#pragma once

#include <filesystem>
#include <string_view>

#include "lib/base/result.h"
#include "lib/os/unique_fd.h"

namespace da::os {

// Creates it with mode 0600 if missing. kPermissionDenied: another user's, accessible to others, or a link.
Result<UniqueFd> open_private_to_append(const std::filesystem::path& path);
// Writes all bytes. The path is used in the error only.
Result<void> write_all(int fd, std::string_view content, const std::filesystem::path& path);

}  // namespace da::os
