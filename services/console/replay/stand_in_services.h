// Serves a recording as observer and actuator of an embedded run: on their endpoints, with their identities, and on the
// bus. What it refers to must outlive it.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "services/console/replay/recorded_task.h"
#include "services/console/session/embedded_config.h"

namespace da::console {

class ReplayPace;

class StandInServices {
 public:
  static Result<std::unique_ptr<StandInServices>> start(const std::filesystem::path& run, const HandedOver& handed_over,
                                                        const RecordedTask& task, const ReplayPace& pace);
  ~StandInServices();

 private:
  struct Service;
  StandInServices();
  std::vector<std::unique_ptr<Service>> services_;
};

}  // namespace da::console
