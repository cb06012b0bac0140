// One tool's arguments: JSON to message by reflection. Pure; any thread.
#pragma once

#include <google/protobuf/message.h>

#include <nlohmann/json.hpp>
#include <string>

#include "da/v1/tool_options.pb.h"
#include "lib/base/result.h"

namespace da::contract {

// Fills the message from a JSON object. `where` opens every error: "steps[0] mouse". Types and keys are checked here,
// values by validate().
Result<void> fill_arguments(const nlohmann::json& json, v1::Dialect dialect, const std::string& where,
                            google::protobuf::Message& message);

// The message as JSON; only what was set.
nlohmann::json arguments_json(const google::protobuf::Message& message);

}  // namespace da::contract
