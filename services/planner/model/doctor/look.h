// Looks for a model on its server, with the API of each kind of server. Free of charge. One thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "services/planner/model/doctor/server_answers.h"
#include "services/planner/model/doctor/server_calls.h"

namespace da::planner::model {

struct Seen {
  std::optional<ModelFacts> model;                // The wanted model; nullopt: the server does not have it.
  std::optional<std::vector<std::string>> names;  // All models; nullopt if not requested, or if the server has no list.
};

// Errors: those of the first call that is required.
Result<Seen> look_for_model(ServerCalls& calls, const std::string& planner, const Target& target);

}  // namespace da::planner::model
