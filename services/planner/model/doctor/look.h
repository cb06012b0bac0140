// Looks for a model at its server, as each kind of server lets one look. Nothing here costs money. One thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "services/planner/model/doctor/server_answers.h"
#include "services/planner/model/doctor/server_calls.h"

namespace da::planner::model {

struct Seen {
  std::optional<ModelFacts> model;                // The one that was looked for; nullopt: it is not there.
  std::optional<std::vector<std::string>> names;  // Of all; nullopt where they were not asked for, or not told.
};

// The error of the first call that nothing can be said without.
Result<Seen> look_for_model(ServerCalls& calls, const std::string& planner, const Target& target);

}  // namespace da::planner::model
