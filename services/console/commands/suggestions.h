// A task of single suggestions (--suggest), as its flags describe it. Pure; any thread.
#pragma once

#include <optional>

#include "da/v1/planner_rpc.pb.h"
#include "lib/base/result.h"
#include "services/console/commands/commands.h"

namespace da::console {

// nullopt where plans are wanted. kInvalidArgument: a region that is not NAME=X,Y,WIDTH,HEIGHT.
Result<std::optional<v1::Decision>> decision_of(const GoalOptions& options);

}  // namespace da::console
