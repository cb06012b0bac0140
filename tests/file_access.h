// Changes who may use a file or directory: modes, and on Windows access lists. Aborts the test program if that fails.
#pragma once

#include <filesystem>

namespace da::test {

enum class Access { kOwnerOnly, kOthersMayRead, kOthersMayWrite };
void set_access(const std::filesystem::path& path, Access access);

// Whether the owner (and on Windows the system and the administrators) alone may use it.
bool is_private(const std::filesystem::path& path);

}  // namespace da::test
