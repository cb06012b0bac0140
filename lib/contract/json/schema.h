// JSON schemas generated from the catalogue. Pure; any thread.
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

// A tool's arguments with all their bounds, for scripts.
nlohmann::ordered_json arguments_schema(const Tool& tool);

// A model's whole reply, {"steps":[...],"done":...}, for providers' strict modes: every property is required, optional
// ones may be null, and the parser checks bounds. Models write keys in this order, which is that of the proto file.
nlohmann::ordered_json reply_schema();

// Likewise one suggestion, {"action_type","parameters","reasoning"}: an allowed action type (empty: any), or NONE.
nlohmann::ordered_json suggestion_schema(std::span<const std::string> allowed);

// {"element_label","box":[x,y,w,h],"found"}: the place of a described element in an image.
nlohmann::ordered_json box_schema();

}  // namespace da::contract
