// Reads the flags of --suggest. Pure; any thread.
#pragma once

#include <optional>

#include "da/v1/planner_rpc.pb.h"
#include "lib/base/result.h"
#include "services/console/commands/commands.h"

namespace da::console {

// nullopt without --suggest. kInvalidArgument: a region is not NAME=X,Y,WIDTH,HEIGHT.
Result<std::optional<v1::Decision>> decision_of(const GoalOptions& options);

}  // namespace da::console
