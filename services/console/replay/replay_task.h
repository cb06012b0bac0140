// Replays a recorded task: a live planner and a live policy, which this starts, against the recording as observer and
// actuator (`da-console replay FILE --as observer,actuator`). The desktop's id is "replay:...", keys and second factors
// are made for this run alone, and every fact says that it is of a replay: nothing of it is granted on a live desktop.
// The wall clock shows the recording's time. Main thread.
#pragma once

#include <string>

#include "services/console/replay/recorded_task.h"

namespace da::console {

struct ReplayOptions {
  std::string rules;  // The rule file; empty: that of the recording.
  std::string log_level;
};

// The steps of the replay. kCancelled: a signal.
Result<StepTrace> replay(const RecordedTask& task, const ReplayOptions& options);

}  // namespace da::console
