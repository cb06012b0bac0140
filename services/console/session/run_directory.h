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
  // Sweeps dead runs, then makes a new one. Whoever else makes one waits until this one is announced, or gone.
  static Result<RunDirectory> create();
  // Takes its lock. From now on it counts as alive: what it takes to reach the run must be there.
  Result<void> announce();
  RunDirectory(RunDirectory&&) noexcept = default;
  RunDirectory& operator=(RunDirectory&&) = delete;
  ~RunDirectory();

  const std::filesystem::path& path() const { return path_; }

  // Runs whose console lives, newest first: this user's own, in directories with mode 0700.
  static std::vector<std::filesystem::path> live();

 private:
  RunDirectory(std::filesystem::path path, os::UniqueFd sweeping)
      : path_(std::move(path)), sweeping_(std::move(sweeping)) {}

  std::filesystem::path path_;
  os::UniqueFd sweeping_;  // Until it is announced.
  os::UniqueFd lock_;      // From then on.
};

}  // namespace da::console
