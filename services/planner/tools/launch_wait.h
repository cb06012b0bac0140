// Waits until a launched application is ready for input (launch_progress.h). Only the task's thread calls.
#pragma once

#include <optional>
#include <string>

#include "da/v1/observation.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/planner/proposer.h"
#include "services/planner/task/task_view.h"

namespace da::planner {

struct Launched {
  std::string command;
  std::optional<Milliseconds> within = std::nullopt;  // Unset: 30 s, up to 2 minutes while the application is active.
  // How long after the end of its process another one may still open the window, such as a terminal's service that has
  // to start first.
  Milliseconds others_open{15'000};
};

// before: the last observation before the launch. kFailedPrecondition, with the state of the launch: exit with an
// error, or timeout.
Result<Proof> await_launched_window(TaskView& view, const v1::Observation& before, const Launched& launched);

}  // namespace da::planner
