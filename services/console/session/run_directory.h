// The private directory of one embedded run: runtime_directory()/run-PID-RANDOM, mode 0700, with each service's
// configuration, the keys, the sockets and a lock file. The console holds the lock while it lives, so that the next run
// can recognize and delete the directories of dead runs. Owner's thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lib/base/result.h"
#include "lib/os/unique_fd.h"

namespace da::console {

class RunDirectory {
 public:
  // Deletes dead runs and makes a new directory. Other callers of create() wait until this one is announced or gone.
  static Result<RunDirectory> create();
  // Takes the lock: from now on the run is live, so the files for reaching it must exist.
  Result<void> announce();
  RunDirectory(RunDirectory&&) noexcept = default;
  RunDirectory& operator=(RunDirectory&&) = delete;
  ~RunDirectory();

  const std::filesystem::path& path() const { return path_; }

  // This user's live runs, newest first, in directories with mode 0700.
  static std::vector<std::filesystem::path> live();

 private:
  RunDirectory(std::filesystem::path path, os::UniqueFd sweeping)
      : path_(std::move(path)), sweeping_(std::move(sweeping)) {}

  std::filesystem::path path_;
  os::UniqueFd sweeping_;  // Held until announce().
  os::UniqueFd lock_;      // Held from then on.
};

}  // namespace da::console
