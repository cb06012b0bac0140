#include "lib/service/doctor.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

namespace da::service {

int print_checks(const std::vector<Check>& checks) {
  for (const Check& check : checks) {
    const nlohmann::json line = {
        {"name", check.name}, {"ok", check.ok}, {"found", check.found}, {"advice", check.advice}};
    std::cout << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
  }
  return std::ranges::all_of(checks, &Check::ok) ? 0 : 1;
}

}  // namespace da::service
