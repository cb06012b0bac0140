// What a replay serves in place of live services, with their endpoints and identities of an embedded run. Owner's
// thread; what they refer to must outlive them.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "lib/bus/transport.h"
#include "services/console/replay/playback/replay_pace.h"
#include "services/console/replay/recorded_task.h"
#include "services/console/session/embedded_config.h"

namespace da::console {

// The recording as observer and actuator, for a live planner and policy.
class StandIns {
 public:
  virtual ~StandIns() = default;
};
Result<std::unique_ptr<StandIns>> start_observer_and_actuator(const std::filesystem::path& run,
                                                              const HandedOver& handed_over, const RecordedTask& task,
                                                              const ReplayPace& pace);

// All publishers, for facts that are published again. Their services answer only what `watch` asks.
class Publishers {
 public:
  virtual ~Publishers() = default;
  virtual Result<void> send(const std::string& writer, bus::Lane lane, const std::string& topic,
                            const std::string& payload) = 0;
};
Result<std::unique_ptr<Publishers>> start_publishers(const std::filesystem::path& run, const HandedOver& handed_over,
                                                     const std::string& about);

}  // namespace da::console
