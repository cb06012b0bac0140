#include "tests/file_access.h"

#include <sys/stat.h>

#include <cstdlib>

namespace da::test {

void set_access(const std::filesystem::path& path, Access access) {
  const mode_t enter = std::filesystem::is_directory(path) ? 0111 : 0;
  const mode_t others = access == Access::kOwnerOnly ? 0 : access == Access::kOthersMayRead ? 044 : 066;
  if (::chmod(path.c_str(), 0600 | others | (others != 0 ? enter : enter & 0100)) != 0) std::abort();
}

bool is_private(const std::filesystem::path& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) std::abort();
  return (info.st_mode & 0777) == (S_ISDIR(info.st_mode) ? 0700 : 0600);
}

}  // namespace da::test
