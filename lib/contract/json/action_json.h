// A tool's arguments: JSON to message and back, by reflection. Pure; any thread.
#pragma once

#include <google/protobuf/message.h>

#include <nlohmann/json.hpp>
#include <string>

#include "da/v1/tool_options.pb.h"
#include "lib/base/result.h"

namespace da::contract {

// Fills the message from a JSON object: checks types and keys, not values. Errors begin with `where`: "steps[0] mouse".
Result<void> fill_arguments(const nlohmann::json& json, v1::Dialect dialect, const std::string& where,
                            google::protobuf::Message& message);

// The message as JSON; fields that are not set are left out.
nlohmann::json arguments_json(const google::protobuf::Message& message);

}  // namespace da::contract
