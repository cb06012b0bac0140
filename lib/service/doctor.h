// What a service can say about the machine it is on, for `da-console doctor`, which executes `da-<service> doctor`.
#pragma once

#include <string>
#include <vector>

namespace da::service {

struct Check {
  std::string name;  // "display"
  bool ok = false;
  std::string found;   // ":99, 1920x1080"
  std::string advice;  // What to do where it is not ok.
};

// Of a service that is shut in (lib/os/confinement.h): whether the kernel can keep it from its user's files.
Check check_confinement();

// One JSON object a line on stdout. Returns the exit code: 0 where all is well, else 1.
int print_checks(const std::vector<Check>& checks);

}  // namespace da::service
