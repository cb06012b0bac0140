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
  const google::protobuf::FieldDescriptor* field;  // In Action's oneof.
  const google::protobuf::Descriptor* arguments;
  const v1::ToolOptions* options;
  const std::string& name() const { return options->name(); }
};

// In the order of the proto file.
const std::vector<Tool>& tools();

// By name or alias of the dialect; null where there is none. Exact spelling.
const Tool* find_tool(std::string_view name, v1::Dialect dialect);

// What a tool is called in a dialect; empty where it is no part of it. Every tool is a step.
std::string_view name_in(const Tool& tool, v1::Dialect dialect);
std::vector<std::string> names_in(v1::Dialect dialect);

// The tool of an action; null where none is set.
const Tool* tool_of(const v1::Action& action);

// The risk of this very call: the tool's, or that of an enum value which has its own (mouse with action=move).
// RISK_CRITICAL where no tool is set.
v1::Risk risk_of(const v1::Action& action);

// Likewise for an argument, which has its own name where the dialect has no other.
std::string_view name_in(const google::protobuf::FieldDescriptor& field, v1::Dialect dialect);
// The arguments that Mark-I's dialect knows: of those that exclude each other the one that has a name there.
std::vector<const google::protobuf::FieldDescriptor*> suggestion_parameters(const Tool& tool);

const v1::ArgOptions& arg_options(const google::protobuf::FieldDescriptor& field);
// Spelling of an enum value in JSON; empty for the unspecified one.
const std::string& spelling(const google::protobuf::EnumValueDescriptor& value);

}  // namespace da::contract
