#include "lib/contract/describe.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/json/action_json.h"
#include "lib/contract/json/schema.h"

namespace da::contract {
namespace {

using google::protobuf::FieldDescriptor;
using nlohmann::json;

constexpr std::size_t kShownCharacters = 120;

std::string quoted(const std::string& text, Extent extent) {
  return quote_foreign(text, extent == Extent::kWhole ? 2 * text.size() + 1 : kShownCharacters);
}

std::string show_value(const json& value, Extent extent) {
  if (value.is_string()) return quoted(value.get_ref<const std::string&>(), extent);
  if (value.is_array()) {
    std::string list;
    for (const json& item : value) list += (list.empty() ? "[" : ",") + show_value(item, extent);
    return list.empty() ? "[]" : list + "]";
  }
  if (value.is_object()) {
    std::string object;
    for (const auto& [key, item] : value.items()) {
      object += (object.empty() ? "" : " ") + key + "=" + show_value(item, extent);
    }
    return "(" + object + ")";
  }
  return value.dump();
}

std::string number(double value) {
  return value == std::floor(value) ? std::to_string(static_cast<std::int64_t>(value)) : json(value).dump();
}

enum class Style { kPlain, kMarkdown };

// "left, middle, right; " for an enum argument, else empty.
std::string values_of(const FieldDescriptor& field) {
  if (field.cpp_type() != FieldDescriptor::CPPTYPE_ENUM) return {};
  return join(spellings(*field.enum_type()), ", ") + "; ";
}

// "x, y, button left/right/middle?, clicks 1-4?"
std::string argument_line(const Tool& tool, Style style) {
  const std::string quote = style == Style::kMarkdown ? "`" : "";
  std::string line;
  for (int i = 0; i < tool.arguments->field_count(); ++i) {
    const auto& field = *tool.arguments->field(i);
    const auto& options = arg_options(field);
    line += line.empty() ? "" : ", ";
    line += quote + field.name() + quote + (field.is_repeated() ? "[]" : "");
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_ENUM) line += " " + join(spellings(*field.enum_type()), "/");
    if (options.has_min() || options.has_max()) {
      line += " " + (options.has_min() ? number(options.min()) : "") + ".." +
              (options.has_max() ? number(options.max()) : "");
    }
    line += options.required() ? "" : "?";
  }
  return line.empty() && style == Style::kMarkdown ? "(none)" : line;
}

}  // namespace

std::string describe(const v1::Action& action, Extent extent) {
  const Tool* tool = tool_of(action);
  if (tool == nullptr) return "(no tool)";
  std::string text = tool->name();
  const json arguments = to_json(action);
  for (int i = 0; i < tool->arguments->field_count(); ++i) {
    const auto found = arguments.find(tool->arguments->field(i)->name());
    if (found != arguments.end()) text += " " + found.key() + "=" + show_value(*found, extent);
  }
  return text;
}

nlohmann::json to_json(const v1::Action& action) {
  const Tool* tool = tool_of(action);
  if (tool == nullptr) return json::object();
  return arguments_json(action.GetReflection()->GetMessage(action, tool->field));
}

nlohmann::json call_json(const v1::Action& action) {
  const Tool* tool = tool_of(action);
  return {{"tool", tool == nullptr ? "" : tool->name()}, {"args", to_json(action)}};
}

std::string_view risk_name(v1::Risk risk) {
  switch (risk) {
    case v1::RISK_SAFE: return "safe";
    case v1::RISK_WRITE: return "write";
    default: return "critical";
  }
}

nlohmann::json catalogue_json() {
  json list = json::array();
  for (const Tool& tool : tools()) {
    json aliases = json::array();
    for (const v1::Alias& alias : tool.options->aliases()) aliases.push_back(alias.name());
    list.push_back({{"name", tool.name()},
                    {"aliases", aliases},
                    {"summary", tool.options->summary()},
                    {"risk", risk_name(tool.options->risk())},
                    {"handler", tool.options->handler() == v1::HANDLER_ACTUATOR ? "actuator" : "planner"},
                    {"exactly_one_of", tool.options->exactly_one_of()},
                    {"args", arguments_schema(tool)}});
  }
  return list;
}

std::string tool_list() {
  std::string text;
  for (const Tool& tool : tools()) {
    text += "- " + tool.name() + "(" + argument_line(tool, Style::kPlain) + "): " + tool.options->summary() + "\n";
    for (int i = 0; i < tool.arguments->field_count(); ++i) {
      const auto& options = arg_options(*tool.arguments->field(i));
      text += "    " + tool.arguments->field(i)->name() + ": " + options.summary() + "\n";
    }
  }
  return text;
}

std::string suggestion_list(std::span<const std::string> allowed) {
  std::string text;
  for (const Tool& tool : tools()) {
    const std::string name(name_in(tool, v1::DIALECT_SUGGESTION));
    if (name.empty() || (!allowed.empty() && std::ranges::find(allowed, name) == allowed.end())) continue;
    text += "- " + name + ": " + tool.options->summary() + "\n";
    for (const FieldDescriptor* field : suggestion_parameters(tool)) {
      const auto& options = arg_options(*field);
      // An alias here means that the arguments which it excludes are missing, so this one is required.
      const std::string name_here(name_in(*field, v1::DIALECT_SUGGESTION));
      const bool required = options.required() || name_here != field->name();
      text +=
          "    " + name_here + (required ? "" : " (optional)") + ": " + values_of(*field) + options.summary() + "\n";
    }
  }
  return text;
}

std::string tool_interface_markdown() {
  std::string text =
      "# The tools\n\n"
      "Made from `proto/da/v1/tools.proto` by `da-console tools --markdown`; a test fails when it is stale.\n\n"
      "A model answers each turn with one JSON object and nothing else:\n\n"
      "```json\n{\"steps\":[{\"tool\":\"mouse\",\"args\":{\"x\":10,\"y\":20},"
      "\"human_readable_justification\":\"Open the menu\"}],\"done\":null}\n```\n\n"
      "0 to 4 steps a turn; all keys, and no others; `done` is a summary once the goal is reached, and then `steps` "
      "is\n"
      "empty. `x` and `y` are pixels of the image that the model was shown. `?` marks what may be left out.\n\n"
      "`file_delete` moves the file to the user's trash or recycle bin; [SPEC.md](SPEC.md#outcomes) says where it is.\n"
      "`app_terminate` asks the windows to close first on Windows, and kills at once on X11.\n\n"
      "A script writes to `da-console stdio` one command a line, with the arguments in `payload` and desktop pixels "
      "in\n"
      "`x` and `y`; docs/SPEC.md (\"Commands of a script\") describes the answers:\n\n"
      "```json\n{\"id\":\"1\",\"action\":\"ui.click\",\"payload\":{\"element_id\":\"...\"}}\n```\n\n"
      "| tool | arguments | risk | carried out by | what it does |\n|---|---|---|---|---|\n";
  for (const Tool& tool : tools()) {
    text += "| `" + tool.name() + "` | " + argument_line(tool, Style::kMarkdown) + " | " +
            std::string(risk_name(tool.options->risk())) + " | " +
            (tool.options->handler() == v1::HANDLER_ACTUATOR ? "actuator" : "planner") + " | " +
            tool.options->summary() + " |\n";
  }
  text += "\n## Arguments\n";
  for (const Tool& tool : tools()) {
    text += "\n### " + tool.name() + "\n\n";
    for (const v1::Alias& alias : tool.options->aliases()) text += "Also written `" + alias.name() + "`.\n";
    if (!tool.options->aliases().empty()) text += "\n";
    for (int i = 0; i < tool.arguments->field_count(); ++i) {
      const auto& options = arg_options(*tool.arguments->field(i));
      text += "- `" + tool.arguments->field(i)->name() + "`: " + options.summary() +
              (options.required() ? "" : " (optional)");
      for (const v1::Alias& alias : options.aliases()) text += "; also `" + alias.name() + "`";
      text += "\n";
    }
    if (tool.arguments->field_count() == 0) text += "None.\n";
    if (tool.options->exactly_one_of_size() > 0) {
      text += "\nExactly one of";
      for (const std::string& name : tool.options->exactly_one_of()) text += " `" + name + "`";
      text += " is given.\n";
    }
  }
  return text;
}

}  // namespace da::contract
