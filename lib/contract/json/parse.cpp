#include "lib/contract/json/parse.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/json/action_json.h"
#include "lib/contract/json/strict_json.h"

namespace da::contract {
namespace {

using nlohmann::json;

constexpr std::int64_t kMostPixels = 1'000'000;  // Limit of an edge; the sum of two edges cannot overflow.

Error invalid_reply(const std::string& where, const std::string& problem) {
  return {Code::kInvalidArgument, where + " " + problem};
}

// The object must have exactly these keys.
Result<void> check_keys(const json& object, const std::set<std::string>& keys, const std::string& where) {
  const std::string allowed = join(keys, ", ");
  if (!object.is_object()) {
    return invalid_reply(where, "must be an object with " + allowed + ", not " + name_value(object));
  }
  for (const auto& [key, value] : object.items()) {
    if (!keys.contains(key)) {
      return invalid_reply(where, "has the unknown key \"" + escape_foreign(key, 60) + "\"; allowed: " + allowed);
    }
  }
  for (const std::string& key : keys) {
    if (!object.contains(key)) return invalid_reply(where, "lacks the key \"" + key + "\"");
  }
  return ok();
}

// All names that a call of the dialect may have.
std::string known_tools(v1::Dialect dialect) {
  std::vector<std::string> names;
  for (const Tool& tool : tools()) {
    names.push_back(tool.name());
    if (const auto alias = name_in(tool, dialect); !alias.empty() && alias != tool.name()) names.emplace_back(alias);
  }
  if (dialect == v1::DIALECT_COMMAND) names.emplace_back(kTerminate);
  return join(names, ", ");
}

Result<v1::Action> action_from(const std::string& tool_name, const json& arguments, v1::Dialect dialect,
                               const std::string& where) {
  const Tool* tool = find_tool(tool_name, dialect);
  if (tool == nullptr) {
    return invalid_reply(
        where, "names the unknown tool \"" + escape_foreign(tool_name, 60) + "\"; known: " + known_tools(dialect));
  }
  v1::Action action;
  RETURN_IF_ERROR(fill_arguments(arguments, dialect, where + " " + tool_name,
                                 *action.GetReflection()->MutableMessage(&action, tool->field)));
  if (auto valid = validate(action); !valid) return invalid_reply(where, valid.error().message);
  return action;
}

// Mark-I's dialect has fewer arguments than ours, with names of its own.
Result<void> check_parameters(const json& parameters, const Tool& tool) {
  if (!parameters.is_object()) return invalid_reply("parameters", "must be an object, not " + name_value(parameters));
  std::vector<std::string> known;
  for (const auto* field : suggestion_parameters(tool)) known.emplace_back(name_in(*field, v1::DIALECT_SUGGESTION));
  for (const auto& [key, value] : parameters.items()) {
    if (std::ranges::find(known, key) != known.end()) continue;
    return invalid_reply("parameters",
                         "has the unknown key \"" + escape_foreign(key, 60) + "\"; allowed: " + join(known, ", "));
  }
  return ok();
}

Result<std::string> justification_from(const json& text, const std::string& where) {
  if (!text.is_string() || shows_nothing(text.get_ref<const std::string&>())) {
    return invalid_reply(where, "must be a text that is not empty");
  }
  if (text.get_ref<const std::string&>().size() > kMaxJustification) {
    return invalid_reply(where, "is longer than " + std::to_string(kMaxJustification) + " bytes");
  }
  return text.get<std::string>();
}

Result<v1::Step> step_from(const json& object, const std::string& where) {
  RETURN_IF_ERROR(check_keys(object, {"tool", "args", "human_readable_justification"}, where));
  const json& tool = object["tool"];
  const json& justification = object["human_readable_justification"];
  if (!tool.is_string()) return invalid_reply(where, "tool must be a string, not " + name_value(tool));
  v1::Step step;
  ASSIGN_OR_RETURN(*step.mutable_justification(),
                   justification_from(justification, where + " human_readable_justification"));
  ASSIGN_OR_RETURN(*step.mutable_action(),
                   action_from(tool.get<std::string>(), object["args"], v1::DIALECT_STEPS, where));
  return step;
}

// The arguments of a command that has none may be left out.
Result<std::optional<v1::Action>> command_action(json& command) {
  if (command.is_object()) command.emplace("payload", nullptr);
  RETURN_IF_ERROR(check_keys(command, {"id", "action", "payload"}, "the command"));
  const json& id = command["id"];
  if (!id.is_string()) return invalid_reply("id", "must be a string, not " + name_value(id));
  if (id.get_ref<const std::string&>().empty() || id.get_ref<const std::string&>().size() > kMaxCommandId) {
    return invalid_reply("id", "must have 1 to " + std::to_string(kMaxCommandId) + " bytes");
  }
  const json& name = command["action"];
  if (!name.is_string()) return invalid_reply("action", "must be a string, not " + name_value(name));
  json& payload = command["payload"];
  if (name.get_ref<const std::string&>() == kTerminate) {
    const bool empty = payload.is_null() || (payload.is_object() && payload.empty());
    if (!empty) return invalid_reply("payload", "must be null for terminate, which ends the session");
    return std::optional<v1::Action>();
  }
  if (payload.is_null()) payload = json::object();
  ASSIGN_OR_RETURN(auto action, action_from(name.get<std::string>(), payload, v1::DIALECT_COMMAND, "the command"));
  return std::optional(std::move(action));
}

std::string command_id(const json& command) {
  if (!command.is_object()) return {};
  const auto id = command.find("id");
  const bool usable =
      id != command.end() && id->is_string() && id->get_ref<const std::string&>().size() <= kMaxCommandId;
  return usable ? id->get<std::string>() : std::string();
}

}  // namespace

Result<ParsedPlan> parse_steps(std::string_view text) {
  ASSIGN_OR_RETURN(const json reply, read_strict_json(text));
  RETURN_IF_ERROR(check_keys(reply, {"steps", "done"}, "the reply"));
  const json& steps = reply["steps"];
  const json& done = reply["done"];
  if (!steps.is_array()) return invalid_reply("steps", "must be a list, not " + name_value(steps));
  if (!done.is_null() && !done.is_string()) {
    return invalid_reply("done", "must be null or a string, not " + name_value(done));
  }
  if (done.is_string() && !steps.empty()) {
    return invalid_reply("done", "is set together with steps: finish with steps []");
  }
  // Models write "" for "not finished" and for "finished": do not end a task on a guess.
  if (done.is_string() && shows_nothing(done.get_ref<const std::string&>())) {
    return invalid_reply("done", "is an empty text: give a short summary, or null while there is work left");
  }
  ParsedPlan parsed;
  for (std::size_t i = 0; i < steps.size() && i < kMaxStepsPerTurn; ++i) {
    ASSIGN_OR_RETURN(*parsed.plan.add_steps(), step_from(steps[i], "steps[" + std::to_string(i) + "]"));
  }
  if (steps.size() > kMaxStepsPerTurn) {
    parsed.remark = std::to_string(steps.size()) + " steps were given; only the first " +
                    std::to_string(kMaxStepsPerTurn) + " count";
  }
  if (done.is_string()) parsed.plan.set_done(done.get<std::string>());
  return parsed;
}

Result<ParsedSuggestion> parse_suggestion(std::string_view text) {
  ASSIGN_OR_RETURN(const json reply, read_strict_json(text));
  RETURN_IF_ERROR(check_keys(reply, {"action_type", "parameters", "reasoning"}, "the reply"));
  const json& type = reply["action_type"];
  if (!type.is_string()) return invalid_reply("action_type", "must be a string, not " + name_value(type));
  ParsedSuggestion parsed;
  parsed.action_type = type.get<std::string>();
  ASSIGN_OR_RETURN(parsed.reasoning, justification_from(reply["reasoning"], "reasoning"));
  const json& parameters = reply["parameters"];
  if (parsed.action_type == kNoAction) {
    if (!parameters.is_object() || !parameters.empty()) return invalid_reply("parameters", "must be {} for NONE");
    return parsed;
  }
  const Tool* tool = find_tool(parsed.action_type, v1::DIALECT_SUGGESTION);
  if (tool == nullptr || name_in(*tool, v1::DIALECT_SUGGESTION) != parsed.action_type) {
    return invalid_reply("action_type", "is \"" + escape_foreign(parsed.action_type, 60) + "\"; known: " +
                                            join(names_in(v1::DIALECT_SUGGESTION), ", ") + ", " + kNoAction);
  }
  RETURN_IF_ERROR(check_parameters(parameters, *tool));
  parsed.step.emplace();
  ASSIGN_OR_RETURN(*parsed.step->mutable_action(),
                   action_from(parsed.action_type, parameters, v1::DIALECT_SUGGESTION, "the suggestion"));
  parsed.step->set_justification(parsed.reasoning);
  return parsed;
}

ParsedCommand parse_command(std::string_view text) {
  if (text.size() > kMaxJsonBytes) {
    return {{},
            Error{Code::kResourceExhausted, "the command has more than " + std::to_string(kMaxJsonBytes) + " bytes"}};
  }
  auto command = read_strict_json(text);
  if (!command) return {{}, command.error()};
  std::string id = command_id(*command);
  return {std::move(id), command_action(*command)};
}

Result<std::optional<Rect>> parse_box(std::string_view text, int image_width, int image_height) {
  ASSIGN_OR_RETURN(const json reply, read_strict_json(text));
  RETURN_IF_ERROR(check_keys(reply, {"element_label", "box", "found"}, "the reply"));
  if (!reply["element_label"].is_string()) {
    return invalid_reply("element_label", "must be a string, not " + name_value(reply["element_label"]));
  }
  if (!reply["found"].is_boolean()) {
    return invalid_reply("found", "must be true or false, not " + name_value(reply["found"]));
  }
  if (!reply["found"].get<bool>()) return std::optional<Rect>();
  const json& box = reply["box"];
  if (!box.is_array() || box.size() != 4) return invalid_reply("box", "must be [x,y,w,h], not " + name_value(box));
  std::array<std::int64_t, 4> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!box[i].is_number_integer()) return invalid_reply("box", "must be four integers");
    if (box[i].is_number_unsigned() && box[i].get<std::uint64_t>() > std::uint64_t{kMostPixels}) {
      return invalid_reply("box", "is outside the image");
    }
    numbers[i] = box[i].get<std::int64_t>();
  }
  const auto [x, y, width, height] = numbers;
  if (width < 1 || height < 1) return invalid_reply("box", "is empty: width and height must be at least 1");
  if (x < 0 || y < 0 || width > kMostPixels || height > kMostPixels || x + width > image_width ||
      y + height > image_height) {
    return invalid_reply("box", "is outside the image, which has " + std::to_string(image_width) + "x" +
                                    std::to_string(image_height) + " pixels");
  }
  return std::optional(
      Rect{static_cast<int>(x), static_cast<int>(y), static_cast<int>(width), static_cast<int>(height)});
}

Result<v1::Action> parse_action(std::string_view tool, std::string_view args_json) {
  ASSIGN_OR_RETURN(const json arguments, read_strict_json(args_json));
  return action_from(std::string(tool), arguments, v1::DIALECT_STEPS, "the action");
}

}  // namespace da::contract
