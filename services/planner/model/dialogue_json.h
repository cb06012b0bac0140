// JSON of requests, for the bus and for saved calls, which are found by its digest. Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "services/planner/model/dialogue.h"

namespace da::planner::model {

// Replaces images by hash (BLAKE2b-128, as on the bus), media type and size. Leaves out Message.verbatim (thinking,
// signatures), which belongs to one conversation.
nlohmann::json to_json(const Request& request);

nlohmann::json to_json(const std::vector<ToolCall>& calls);

// BLAKE2b-256 of a request's JSON without white space, hexadecimal.
std::string digest_of(const nlohmann::json& request);

// "complete", "context full": the spelling in saved calls and on the bus.
const char* finish_text(Finish finish);
std::optional<Finish> parse_finish(std::string_view text);

}  // namespace da::planner::model
