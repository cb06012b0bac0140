// The tool catalogue, read from proto/da/v1/tools.proto by reflection. Immutable; any thread.
#pragma once

#include <google/protobuf/descriptor.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "da/v1/tool_options.pb.h"
#include "da/v1/tools.pb.h"

namespace da::contract {

struct Tool {
  const google::protobuf::FieldDescriptor* field;  // Member of Action's oneof.
  const google::protobuf::Descriptor* arguments;
  const v1::ToolOptions* options;
  const std::string& name() const { return options->name(); }
};

// All tools, in the order of the proto file.
const std::vector<Tool>& tools();

// Looks for the tool's name, or its alias in the dialect. Case-sensitive. nullptr if unknown.
const Tool* find_tool(std::string_view name, v1::Dialect dialect);

// The tool's name in a dialect; empty if the dialect lacks it. DIALECT_STEPS has all tools.
std::string_view name_in(const Tool& tool, v1::Dialect dialect);
std::vector<std::string> names_in(v1::Dialect dialect);

// The tool of an action; nullptr if none is set.
const Tool* tool_of(const v1::Action& action);

// The tool's risk, unless an enum value of the call overrides it (mouse with action=move). Critical if no tool is set.
v1::Risk risk_of(const v1::Action& action);

// The argument's name in a dialect; its own name if the dialect has no alias for it.
std::string_view name_in(const google::protobuf::FieldDescriptor& field, v1::Dialect dialect);
// The arguments in Mark-I's dialect. Of mutually exclusive arguments, it has only the one with an alias there.
std::vector<const google::protobuf::FieldDescriptor*> suggestion_parameters(const Tool& tool);

const v1::ArgOptions& arg_options(const google::protobuf::FieldDescriptor& field);
// An enum value's spelling in JSON; empty for the unspecified one.
const std::string& spelling(const google::protobuf::EnumValueDescriptor& value);

}  // namespace da::contract
