// A private directory for one test, removed at its end.
#pragma once

#include <cstdlib>
#include <filesystem>

#include "lib/base/id.h"
#include "lib/os/files/files.h"

namespace da::test {

class TempDir {
 public:
  explicit TempDir(const std::filesystem::path& parent = std::filesystem::temp_directory_path())
      : path_(parent / ("da-test-" + random_hex(6))) {
    if (!os::make_private_directory(path_)) std::abort();
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace da::test
