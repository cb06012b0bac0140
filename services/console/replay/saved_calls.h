// A recording's calls of models, as the planner's saved calls: what the provider "recorded" answers from
// (services/planner/model/saved_calls.h). Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "da/v1/model.pb.h"
#include "lib/base/result.h"

namespace da::console {

// One JSON object a line; without calls that failed, which were made again afterwards. kDataLoss: a call is no JSON.
Result<std::string> saved_calls(const std::vector<v1::ModelCall>& calls);

}  // namespace da::console
