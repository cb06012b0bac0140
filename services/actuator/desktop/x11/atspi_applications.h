// The applications on the accessibility bus and their processes, remembered for as long as the bus connection lasts.
// One thread at a time, that of the bus. Errors: kUnavailable, kDeadlineExceeded.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "services/actuator/desktop/x11/atspi_bus.h"

namespace da::actuator::x11 {

// The parent of all applications' own objects.
AccessibleRef desktop_root();

struct AtspiApplication {
  AccessibleRef root;
  std::uint32_t pid = 0;
};

class AtspiApplications {
 public:
  // All that run now and whose process the bus knows.
  Result<std::vector<AtspiApplication>> list(AtspiBus& bus, MonoTime deadline);
  // 0 where the bus does not know it.
  Result<std::uint32_t> pid_of(AtspiBus& bus, const std::string& bus_name, MonoTime deadline);
  // The bus names of this process's applications that are remembered.
  std::vector<std::string> known_of(std::uint32_t pid) const;

 private:
  Result<void> learn_pids(AtspiBus& bus, const std::vector<AccessibleRef>& roots, MonoTime deadline);

  std::map<std::string, std::uint32_t> pids_;  // By unique bus name.
};

}  // namespace da::actuator::x11
