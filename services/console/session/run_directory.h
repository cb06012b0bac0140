// The private place of one embedded run: runtime_directory()/run-PID-RANDOM, mode 0700, holding each service's
// configuration, the keys, the sockets, and a lock file that is held as long as the console lives. So a run that died
// is told from one that lives by its lock, and is swept by the next. Owner's thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lib/base/result.h"
#include "lib/os/unique_fd.h"

namespace da::console {

class RunDirectory {
 public:
  // Sweeps dead runs, then makes a new one and holds its lock.
  static Result<RunDirectory> create();
  RunDirectory(RunDirectory&&) noexcept = default;
  RunDirectory& operator=(RunDirectory&&) = delete;
  ~RunDirectory();

  const std::filesystem::path& path() const { return path_; }

  // Runs whose console lives, newest first.
  static std::vector<std::filesystem::path> live();

 private:
  RunDirectory(std::filesystem::path path, os::UniqueFd lock) : path_(std::move(path)), lock_(std::move(lock)) {}

  std::filesystem::path path_;
  os::UniqueFd lock_;
};

}  // namespace da::console
