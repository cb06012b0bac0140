// Checks of the machine for `da-console doctor`, which runs `da-<service> doctor`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace da::service {

struct Check {
  std::string name;  // "display"
  bool ok = false;
  std::string found;   // ":99, 1920x1080"
  std::string advice;  // What to do if ok is false.
};

// Tells whether the kernel can deny a confined service (lib/os/process/confinement.h) its user's files.
Check check_confinement();

// A confined service says this if root has started it.
inline constexpr std::string_view kStaysRoot =
    "started by root: it gives up all capabilities, but cannot change to another user, because its files are root's. "
    "Start it as a user of its own, as the units do";

// Prints one JSON object per line to stdout. Returns the exit code: 0 if all checks are ok, else 1.
int print_checks(const std::vector<Check>& checks);

}  // namespace da::service
