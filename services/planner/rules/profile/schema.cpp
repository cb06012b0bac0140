#include "services/planner/rules/profile/schema.h"

#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/evidence/role_words.h"
#include "services/planner/rules/profile/element_states.h"
#include "services/planner/rules/profile/rule_fields.h"

namespace da::planner::rules {
namespace {

using Json = nlohmann::ordered_json;

// A JSON type, and words and a default for people.
struct Described {
  Json schema;
  std::string words;
  std::string otherwise;
};

Json text_schema() { return {{"type", Json::array({"string", "number", "boolean"})}}; }
Json list_schema() {
  return {{"anyOf", Json::array({text_schema(), Json{{"type", "array"}, {"items", text_schema()}}})}};
}

template <class Names>
Json any_case(const Names& names) {
  Json all = Json::array();
  for (const auto& name : names) all.push_back(std::string(name));
  // Texts are read in any case, which an enum cannot say.
  return {{"type", "string"}, {"examples", std::move(all)}};
}

std::string bounds_words(const Bounds& bounds) {
  return (bounds.whole ? "whole number, " : "number, ") + number_text(bounds.min) + " to " + number_text(bounds.max);
}

Json number_schema(const Bounds& bounds) {
  const Json number = {{"type", bounds.whole ? "integer" : "number"}, {"minimum", bounds.min}, {"maximum", bounds.max}};
  return {{"anyOf", Json::array({number, Json{{"type", "string"}}})}};
}

Described describe(const TextTemplate& value, const Field&) { return {text_schema(), "text", value.text()}; }
Described describe(const TextList&, const Field&) { return {list_schema(), "texts", ""}; }
Described describe(const Number& value, const Field& field) {
  return {number_schema(field.bounds), bounds_words(field.bounds), number_text(value.value)};
}
Described describe(const OptionalNumber& value, const Field& field) {
  Json schema = number_schema(field.bounds);
  schema["anyOf"].push_back({{"type", "null"}});
  return {std::move(schema), bounds_words(field.bounds) + ", or empty", number_text(value.number->value)};
}
Described describe(bool value, const Field&) {
  return {{{"type", Json::array({"boolean", "string"})}}, "true or false", value ? "true" : "false"};
}
Described describe(const Bgr&, const Field&) {
  const Json channel = number_schema({0, 255, true});
  const Json list = {{"type", "array"}, {"items", channel}, {"minItems", 3}, {"maxItems", 3}};
  return {{{"anyOf", Json::array({list, Json{{"type", "string"}}})}}, "[blue, green, red]", ""};
}
Described describe(const RegionRef&, const Field&) { return {{{"type", "string"}}, "name of a region", ""}; }
Described describe(const RegionList&, const Field&) { return {list_schema(), "names of regions", ""}; }
Described describe(const TemplateRef&, const Field&) { return {{{"type", "string"}}, "name of a template", ""}; }
Described describe(const CaptureName&, const Field&) { return {{{"type", "string"}}, "new name", ""}; }
Described describe(const VariableRef&, const Field&) { return {{{"type", "string"}}, "captured name", ""}; }
Described describe(const KeyChord&, const Field&) { return {text_schema(), "keys", ""}; }
Described describe(const ElementStates&, const Field&) { return {list_schema(), "states", ""}; }
Described describe(const AllowedTools&, const Field&) { return {list_schema(), "names of tools", ""}; }
template <class E>
requires std::is_enum_v<E> Described describe(E value, const Field&) {
  std::vector<std::string_view> names;
  for (const auto& one : kSpellings<E>) names.push_back(one.name);
  return {any_case(names), join(names, ", "), std::string(spelling_of(value))};
}

// Collects the parameters of one type as properties of an object.
class PropertyWriter {
 public:
  explicit PropertyWriter(Json first = Json::object()) : properties_(std::move(first)) {}

  template <class Member>
  void operator()(const Member& member, const Field& field) {
    Described described = describe(member, field);
    std::string meaning(field.meaning);
    if (field.need == Need::kOptional && !described.otherwise.empty())
      meaning += " (default: " + described.otherwise + ")";
    described.schema["description"] = meaning;
    if (!field.other_name.empty()) properties_[std::string(field.other_name)] = described.schema;
    if (field.need == Need::kRequired && !field.other_name.empty()) {
      either_.push_back({{"required", Json::array({std::string(field.name)})}});
      either_.push_back({{"required", Json::array({std::string(field.other_name)})}});
    } else if (field.need == Need::kRequired) {
      required_.push_back(std::string(field.name));
    }
    properties_[std::string(field.name)] = std::move(described.schema);
  }

  void require(const char* name) { required_.push_back(name); }

  Json object() && {
    Json schema = {{"type", "object"}, {"properties", std::move(properties_)}, {"additionalProperties", false}};
    if (!required_.empty()) schema["required"] = std::move(required_);
    if (!either_.empty()) schema["anyOf"] = std::move(either_);
    return schema;
  }

 private:
  Json properties_;
  Json required_ = Json::array();
  Json either_ = Json::array();
};

template <class T>
Json type_schema(const TypeName<T>& type, Json first) {
  first["type"] = {{"const", std::string(type.name)}};
  PropertyWriter writer(std::move(first));
  writer.require("type");
  const T defaults = type.make();
  visit_fields(defaults, writer);
  Json schema = std::move(writer).object();
  schema["description"] = std::string(type.meaning);
  return schema;
}

Json reference(const char* name) { return {{"$ref", std::string("#/$defs/") + name}}; }
Json list_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }

Json condition_schema() {
  Json types = Json::array();
  const Json region = {{"type", "string"}, {"description", "region (default: the rule's)"}};
  visit_condition_types([&](const auto& type) {
    types.push_back(type_schema(type, {{"region", region}, {"comment", text_schema()}}));
  });
  PropertyWriter compound(Json{{"comment", text_schema()}});
  compound(LogicalOperator::kAnd, Field{"logical_operator", "AND, OR or NOT, in any case", Need::kRequired});
  Json both = std::move(compound).object();
  both["properties"]["sub_conditions"] = list_of(reference("condition"));
  both["properties"]["sub_conditions"]["minItems"] = 1;
  both["required"].push_back("sub_conditions");
  types.push_back(std::move(both));
  return {{"oneOf", std::move(types)}};
}

Json action_schema() {
  Json types = Json::array();
  visit_action_types([&](const auto& type) { types.push_back(type_schema(type, {{"comment", text_schema()}})); });
  return {{"oneOf", std::move(types)}};
}

Json rule_schema() {
  const Json flag = {{"type", Json::array({"boolean", "string"})}};
  Json cooldown = number_schema({0, 1e7});
  return {{"type", "object"},
          {"properties",
           {{"name", text_schema()},
            {"region", {{"type", "string"}, {"description", "default of the conditions and the action"}}},
            {"condition", reference("condition")},
            {"action", reference("action")},
            {"actions", list_of(reference("action"))},
            {"comment", text_schema()},
            {"stop", flag},
            {"once", flag},
            {"cooldown_seconds", std::move(cooldown)}}},
          {"additionalProperties", false},
          {"required", Json::array({"condition"})},
          {"oneOf",
           Json::array({Json{{"required", Json::array({"action"})}}, Json{{"required", Json::array({"actions"})}}})}};
}

Json region_schema() {
  Json properties = {{"name", text_schema()}};
  for (const char* name : {"x", "y"}) properties[name] = number_schema(kPixels);
  for (const char* name : {"width", "height"}) properties[name] = number_schema({0, kPixels.max, true});
  properties["window"] = {{"type", "string"},
                          {"description", "RE2 pattern of a window's title; x and y are relative to it"}};
  properties["comment"] = text_schema();
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"additionalProperties", false},
          {"required", Json::array({"name", "x", "y", "width", "height"})}};
}

Json template_schema() {
  return {{"type", "object"},
          {"properties", {{"name", text_schema()}, {"filename", text_schema()}, {"comment", text_schema()}}},
          {"additionalProperties", false},
          {"required", Json::array({"name", "filename"})}};
}

// Writes the rows of one type.
class RowWriter {
 public:
  template <class Member>
  void operator()(const Member& member, const Field& field) {
    const Described described = describe(member, field);
    std::string name = "`" + std::string(field.name) + "`";
    if (!field.other_name.empty()) name += " or `" + std::string(field.other_name) + "`";
    const bool has_default = field.need == Need::kOptional && !described.otherwise.empty();
    const std::string otherwise = field.need == Need::kRequired ? "required"
                                  : has_default                 ? "`" + described.otherwise + "`"
                                                                : "";
    rows_ += "| " + name + " | " + described.words + " | " + otherwise + " | " + std::string(field.meaning) + " |\n";
  }
  const std::string& rows() const { return rows_; }

 private:
  std::string rows_;
};

template <class T>
std::string type_table(const TypeName<T>& type) {
  RowWriter rows;
  const T defaults = type.make();
  visit_fields(defaults, rows);
  std::string text = "#### `" + std::string(type.name) + "`: " + std::string(type.meaning) +
                     (type.origin == Origin::kOurs ? " (not in Mark-I)" : "") + "\n\n";
  if (!rows.rows().empty())
    text += "| parameter | value | default | meaning |\n|---|---|---|---|\n" + rows.rows() + "\n";
  return text;
}

}  // namespace

Json profile_schema() {
  PropertyWriter settings;
  const Settings defaults;
  visit_fields(defaults, settings);
  Json settings_schema = std::move(settings).object();
  // Mark-I's files have null for what is not set.
  for (auto& [name, schema] : settings_schema["properties"].items()) {
    schema = {{"anyOf", Json::array({schema, Json{{"type", "null"}}})}, {"description", schema["description"]}};
  }
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
          {"title", "Rule profile of DesktopAssist, compatible with Mark-I"},
          {"type", "object"},
          {"properties",
           {{"profile_description", text_schema()},
            {"settings", std::move(settings_schema)},
            {"regions", list_of(reference("region"))},
            {"templates", list_of(reference("template"))},
            {"rules", list_of(reference("rule"))}}},
          {"additionalProperties", false},
          {"$defs",
           {{"region", region_schema()},
            {"template", template_schema()},
            {"rule", rule_schema()},
            {"condition", condition_schema()},
            {"action", action_schema()}}}};
}

std::string parameter_tables() {
  std::string text = "### Settings\n\n| parameter | value | default | meaning |\n|---|---|---|---|\n";
  RowWriter settings;
  const Settings defaults;
  visit_fields(defaults, settings);
  text += settings.rows() + "\n### Conditions\n\n";
  visit_condition_types([&](const auto& type) { text += type_table(type); });
  text += "### Actions\n\n";
  visit_action_types([&](const auto& type) { text += type_table(type); });
  return text;
}

}  // namespace da::planner::rules
