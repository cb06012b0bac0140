// Follows the programs started through da-launcher: their processes and how they ended. Reads pipes and /proc and never
// blocks. One thread.
#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <vector>

#include "lib/base/clock.h"
#include "lib/os/unique_fd.h"
#include "services/actuator/desktop/roles/applications.h"

namespace da::actuator::x11 {

class LaunchedPrograms {
 public:
  explicit LaunchedPrograms(const Clock& clock) : clock_(clock) {}

  // Follows a running launcher; `report` is the reading end of its pipe.
  void add(std::uint32_t launcher, std::uint32_t pid, std::string token, os::UniqueFd report);
  // The programs of the last minutes, in the order of their starts. Searches processes at most a few times a second.
  std::vector<LaunchedProgram> look();

 private:
  struct Followed {
    std::uint32_t launcher;
    std::uint64_t launcher_start;
    MonoTime since;
    os::UniqueFd report;
    LaunchedProgram program;
  };
  static bool launcher_runs(const Followed& followed);
  static void read_report(Followed& followed);
  void find_processes();

  const Clock& clock_;
  std::list<Followed> followed_;
  MonoTime looked_;
};

}  // namespace da::actuator::x11
