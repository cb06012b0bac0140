// A request as JSON: for the bus, for saved calls, and as what a saved call is found by. Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "services/planner/model/dialogue.h"

namespace da::planner::model {

// Images stand there as their hash (BLAKE2b-128, as the bus names them), media type and size; what a provider wrote
// around a call of its tool (thinking, signatures) is left out, for it belongs to one conversation.
nlohmann::json to_json(const Request& request);

// Calls of a computer tool, with their safety checks.
nlohmann::json to_json(const std::vector<ToolCall>& calls);

// BLAKE2b-256 of that JSON without white space, hexadecimal.
std::string digest_of(const nlohmann::json& request);

}  // namespace da::planner::model
