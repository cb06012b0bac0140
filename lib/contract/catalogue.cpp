#include "lib/contract/catalogue.h"

#include <algorithm>

namespace da::contract {

const std::vector<Tool>& tools() {
  static const std::vector<Tool> all = [] {
    std::vector<Tool> found;
    const auto* oneof = v1::Action::descriptor()->oneof_decl(0);
    for (int i = 0; i < oneof->field_count(); ++i) {
      const auto* field = oneof->field(i);
      const auto* arguments = field->message_type();
      found.push_back({field, arguments, &arguments->options().GetExtension(v1::tool)});
    }
    return found;
  }();
  return all;
}

const Tool* find_tool(std::string_view name, v1::Dialect dialect) {
  for (const Tool& tool : tools()) {
    if (tool.name() == name) return &tool;
    for (const v1::Alias& alias : tool.options->aliases()) {
      if (alias.dialect() == dialect && alias.name() == name) return &tool;
    }
  }
  return nullptr;
}

std::string_view name_in(const Tool& tool, v1::Dialect dialect) {
  if (dialect == v1::DIALECT_STEPS) return tool.name();
  for (const v1::Alias& alias : tool.options->aliases()) {
    if (alias.dialect() == dialect) return alias.name();
  }
  return {};
}

std::vector<std::string> names_in(v1::Dialect dialect) {
  std::vector<std::string> names;
  for (const Tool& tool : tools()) {
    if (const auto name = name_in(tool, dialect); !name.empty()) names.emplace_back(name);
  }
  return names;
}

std::string_view name_in(const google::protobuf::FieldDescriptor& field, v1::Dialect dialect) {
  for (const v1::Alias& alias : arg_options(field).aliases()) {
    if (alias.dialect() == dialect) return alias.name();
  }
  return field.name();
}

std::vector<const google::protobuf::FieldDescriptor*> suggestion_parameters(const Tool& tool) {
  std::vector<const google::protobuf::FieldDescriptor*> found;
  for (int i = 0; i < tool.arguments->field_count(); ++i) {
    const auto* field = tool.arguments->field(i);
    const auto& excluding = tool.options->exactly_one_of();
    const bool excluded = std::ranges::find(excluding, field->name()) != excluding.end() &&
                          name_in(*field, v1::DIALECT_SUGGESTION) == field->name();
    if (!excluded) found.push_back(field);
  }
  return found;
}

const Tool* tool_of(const v1::Action& action) {
  for (const Tool& tool : tools()) {
    if (tool.field->number() == static_cast<int>(action.tool_case())) return &tool;
  }
  return nullptr;
}

v1::Risk risk_of(const v1::Action& action) {
  const Tool* tool = tool_of(action);
  if (tool == nullptr) return v1::RISK_CRITICAL;
  const auto& arguments = action.GetReflection()->GetMessage(action, tool->field);
  for (int i = 0; i < tool->arguments->field_count(); ++i) {
    const auto* field = tool->arguments->field(i);
    if (field->is_repeated() || field->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_ENUM) continue;
    const auto* value = arguments.GetReflection()->GetEnum(arguments, field);
    const v1::Risk own = value->options().GetExtension(v1::value).risk();
    if (own != v1::RISK_UNSPECIFIED) return own;
  }
  return tool->options->risk() == v1::RISK_UNSPECIFIED ? v1::RISK_CRITICAL : tool->options->risk();
}

const v1::ArgOptions& arg_options(const google::protobuf::FieldDescriptor& field) {
  return field.options().GetExtension(v1::arg);
}

const std::string& spelling(const google::protobuf::EnumValueDescriptor& value) {
  return value.options().GetExtension(v1::value).spelling();
}

}  // namespace da::contract
