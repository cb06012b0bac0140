// The applications on the accessibility bus and their pids, cached as long as the bus connection lives. One thread at a
// time, that of the bus. Errors: kUnavailable, kDeadlineExceeded.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "services/actuator/desktop/x11/atspi/bus/atspi_bus.h"

namespace da::actuator::x11 {

// The registry's object, parent of all applications' root objects.
AccessibleRef desktop_root();

struct AtspiApplication {
  AccessibleRef root;
  std::uint32_t pid = 0;
};

class AtspiApplications {
 public:
  // All running applications whose pid the bus knows.
  Result<std::vector<AtspiApplication>> list(AtspiBus& bus, MonoTime deadline);
  // 0 when the bus does not know it.
  Result<std::uint32_t> pid_of(AtspiBus& bus, const std::string& bus_name, MonoTime deadline);
  // The cached bus names of this process's applications.
  std::vector<std::string> known_of(std::uint32_t pid) const;

 private:
  Result<void> learn_pids(AtspiBus& bus, const std::vector<AccessibleRef>& roots, MonoTime deadline);

  std::map<std::string, std::uint32_t> pids_;  // Keyed by unique bus name.
};

}  // namespace da::actuator::x11
