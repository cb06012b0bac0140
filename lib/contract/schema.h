// JSON schemas made from the catalogue. Pure; any thread.
#pragma once

#include <google/protobuf/descriptor.h>

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "lib/contract/catalogue.h"

namespace da::contract {

// The spellings of an enum's values in JSON, in the order of the proto file.
std::vector<std::string> spellings(const google::protobuf::EnumDescriptor& type);

// The arguments of a tool with all their bounds, for scripts.
nlohmann::ordered_json arguments_schema(const Tool& tool);

// A model's whole reply, {"steps":[...],"done":...}, within what providers' strict modes take: every property is
// required and what may be left out may be null instead; no bounds, which the parser checks anyway. Models write keys
// in the schema's order, which is that of the proto file.
nlohmann::ordered_json reply_schema();

// Likewise for a single suggestion of Mark-I's dialect, {"action_type","parameters","reasoning"}, of these action types
// and NONE.
nlohmann::ordered_json suggestion_schema(std::span<const std::string> allowed);

// {"element_label","box":[x,y,w,h],"found"}: where a described element is in an image.
nlohmann::ordered_json box_schema();

}  // namespace da::contract
