#include "lib/contract/json/schema.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lib/contract/json/parse.h"

namespace da::contract {
namespace {

using google::protobuf::FieldDescriptor;
using Schema = nlohmann::ordered_json;

// kStrict: limited to what providers' strict modes support.
enum class Form { kWhole, kStrict };

Schema object_schema(const google::protobuf::Descriptor& type, Form form);

Schema value_schema(const FieldDescriptor& field, Form form) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING: return {{"type", "string"}};
    case FieldDescriptor::CPPTYPE_BOOL: return {{"type", "boolean"}};
    case FieldDescriptor::CPPTYPE_DOUBLE: return {{"type", "number"}};
    case FieldDescriptor::CPPTYPE_ENUM: return {{"type", "string"}, {"enum", spellings(*field.enum_type())}};
    case FieldDescriptor::CPPTYPE_MESSAGE: return object_schema(*field.message_type(), form);
    default: return {{"type", "integer"}};
  }
}

void add_bounds(Schema& schema, const v1::ArgOptions& options) {
  if (options.has_min()) schema["minimum"] = options.min();
  if (options.has_max()) schema["maximum"] = options.max();
  if (options.max_characters() != 0) schema["maxLength"] = options.max_characters();
}

Schema field_schema(const FieldDescriptor& field, Form form) {
  const auto& options = arg_options(field);
  Schema schema = value_schema(field, form);
  if (form == Form::kWhole) add_bounds(schema, options);
  if (field.is_repeated()) {
    schema = {{"type", "array"}, {"items", schema}};
    if (form == Form::kWhole) schema.update({{"minItems", options.min_items()}, {"maxItems", options.max_items()}});
  }
  if (form == Form::kStrict && !options.required()) schema = {{"anyOf", {schema, {{"type", "null"}}}}};
  if (!options.summary().empty()) schema["description"] = options.summary();
  return schema;
}

Schema object_schema(const google::protobuf::Descriptor& type, Form form) {
  Schema properties = Schema::object();
  Schema required = Schema::array();
  for (int i = 0; i < type.field_count(); ++i) {
    const auto& field = *type.field(i);
    properties[field.name()] = field_schema(field, form);
    if (form == Form::kStrict || arg_options(field).required()) required.push_back(field.name());
  }
  return {{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false}};
}

Schema strict_object(Schema properties) {
  Schema required = Schema::array();
  for (const auto& [name, schema] : properties.items()) required.push_back(name);
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", std::move(required)},
          {"additionalProperties", false}};
}

}  // namespace

std::vector<std::string> spellings(const google::protobuf::EnumDescriptor& type) {
  std::vector<std::string> texts;
  for (int i = 0; i < type.value_count(); ++i) {
    if (const auto& text = spelling(*type.value(i)); !text.empty()) texts.push_back(text);
  }
  return texts;
}

nlohmann::ordered_json arguments_schema(const Tool& tool) { return object_schema(*tool.arguments, Form::kWhole); }

nlohmann::ordered_json reply_schema() {
  Schema step = Schema::array();
  for (const Tool& tool : tools()) {
    step.push_back(strict_object({{"tool", {{"type", "string"}, {"enum", {tool.name()}}}},
                                  {"args", object_schema(*tool.arguments, Form::kStrict)},
                                  {"human_readable_justification", {{"type", "string"}}}}));
  }
  return strict_object({{"steps", {{"type", "array"}, {"items", {{"anyOf", step}}}}},
                        {"done", {{"anyOf", {{{"type", "string"}}, {{"type", "null"}}}}}}});
}

nlohmann::ordered_json suggestion_schema(std::span<const std::string> allowed) {
  Schema types = Schema::array();
  Schema parameters = Schema::array();
  for (const Tool& tool : tools()) {
    const std::string name(name_in(tool, v1::DIALECT_SUGGESTION));
    if (name.empty() || (!allowed.empty() && std::ranges::find(allowed, name) == allowed.end())) continue;
    types.push_back(name);
    Schema properties = Schema::object();
    for (const FieldDescriptor* field : suggestion_parameters(tool)) {
      Schema schema = field_schema(*field, Form::kStrict);
      // This dialect lacks the arguments that the field excludes, so the field is required.
      const bool alone = schema.contains("anyOf") && name_in(*field, v1::DIALECT_SUGGESTION) != field->name();
      if (alone) schema = value_schema(*field, Form::kStrict);
      properties[std::string(name_in(*field, v1::DIALECT_SUGGESTION))] = std::move(schema);
    }
    parameters.push_back(strict_object(std::move(properties)));
  }
  types.push_back(kNoAction);
  parameters.push_back(strict_object(Schema::object()));
  return strict_object({{"action_type", {{"type", "string"}, {"enum", std::move(types)}}},
                        {"parameters", {{"anyOf", std::move(parameters)}}},
                        {"reasoning", {{"type", "string"}}}});
}

nlohmann::ordered_json box_schema() {
  return strict_object({{"element_label", {{"type", "string"}}},
                        {"box", {{"type", "array"}, {"items", {{"type", "integer"}}}}},
                        {"found", {{"type", "boolean"}}}});
}

}  // namespace da::contract
