#include "lib/service/doctor.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "lib/os/process/confinement.h"

namespace da::service {

Check check_confinement() {
  const int version = os::landlock_version();
  if (version > 0) {
    const std::string by_root = os::started_by_root() ? "; " + std::string(kStaysRoot) : "";
    return {"shut in", true, "Landlock, version " + std::to_string(version) + by_root, ""};
  }
  return {"shut in", false, "a kernel without Landlock",
          "the service can read all files of its user: use a kernel from 5.13 on with \"landlock\" in its list of "
          "security modules (/sys/kernel/security/lsm)"};
}

int print_checks(const std::vector<Check>& checks) {
  for (const Check& check : checks) {
    const nlohmann::json line = {
        {"name", check.name}, {"ok", check.ok}, {"found", check.found}, {"advice", check.advice}};
    std::cout << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
  }
  return std::ranges::all_of(checks, &Check::ok) ? 0 : 1;
}

}  // namespace da::service
