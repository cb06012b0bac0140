#include "lib/contract/parse.h"

#include <set>

#include "lib/base/text.h"
#include "lib/contract/action_json.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/strict_json.h"

namespace da::contract {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxJustification = 1000;

Error invalid(const std::string& where, const std::string& problem) {
  return {Code::kInvalidArgument, where + " " + problem};
}

// Exactly these keys, no more and no fewer.
Result<void> check_keys(const json& object, const std::set<std::string>& keys, const std::string& where) {
  std::string allowed;
  for (const std::string& key : keys) allowed += (allowed.empty() ? "" : ", ") + key;
  if (!object.is_object()) return invalid(where, "must be an object with " + allowed + ", not " + name_value(object));
  for (const auto& [key, value] : object.items()) {
    if (!keys.contains(key)) {
      return invalid(where, "has the unknown key \"" + escape_foreign(key, 60) + "\"; allowed: " + allowed);
    }
  }
  for (const std::string& key : keys) {
    if (!object.contains(key)) return invalid(where, "lacks the key \"" + key + "\"");
  }
  return ok();
}

std::string tool_names() {
  std::string names;
  for (const Tool& tool : tools()) names += (names.empty() ? "" : ", ") + tool.name();
  return names;
}

Result<v1::Action> action_from(const std::string& tool_name, const json& arguments, const std::string& where) {
  const Tool* tool = find_tool(tool_name, v1::DIALECT_STEPS);
  if (tool == nullptr) {
    return invalid(where, "names the unknown tool \"" + escape_foreign(tool_name, 60) + "\"; known: " + tool_names());
  }
  v1::Action action;
  RETURN_IF_ERROR(fill_arguments(arguments, v1::DIALECT_STEPS, where + " " + tool->name(),
                                 *action.GetReflection()->MutableMessage(&action, tool->field)));
  if (auto valid = validate(action); !valid) return invalid(where, valid.error().message);
  return action;
}

Result<v1::Step> step_from(const json& object, const std::string& where) {
  RETURN_IF_ERROR(check_keys(object, {"tool", "args", "human_readable_justification"}, where));
  const json& tool = object["tool"];
  const json& justification = object["human_readable_justification"];
  if (!tool.is_string()) return invalid(where, "tool must be a string, not " + name_value(tool));
  if (!justification.is_string() || shows_nothing(justification.get_ref<const std::string&>())) {
    return invalid(where, "human_readable_justification must be a text that is not empty");
  }
  if (justification.get_ref<const std::string&>().size() > kMaxJustification) {
    return invalid(where,
                   "human_readable_justification is longer than " + std::to_string(kMaxJustification) + " bytes");
  }
  v1::Step step;
  ASSIGN_OR_RETURN(*step.mutable_action(), action_from(tool.get<std::string>(), object["args"], where));
  step.set_justification(justification.get<std::string>());
  return step;
}

}  // namespace

Result<ParsedPlan> parse_steps(std::string_view text) {
  ASSIGN_OR_RETURN(const json reply, read_strict_json(text));
  RETURN_IF_ERROR(check_keys(reply, {"steps", "done"}, "the reply"));
  const json& steps = reply["steps"];
  const json& done = reply["done"];
  if (!steps.is_array()) return invalid("steps", "must be a list, not " + name_value(steps));
  if (!done.is_null() && !done.is_string()) return invalid("done", "must be null or a string, not " + name_value(done));
  if (done.is_string() && !steps.empty()) return invalid("done", "is set together with steps: finish with steps []");
  // Models write it for "not yet" as well as for "without a word"; a task does not end on a guess.
  if (done.is_string() && shows_nothing(done.get_ref<const std::string&>())) {
    return invalid("done", "is an empty text: give a short summary, or null while there is work left");
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

Result<v1::Step> parse_step(std::string_view text) {
  ASSIGN_OR_RETURN(const json object, read_strict_json(text));
  return step_from(object, "the step");
}

Result<v1::Action> parse_action(std::string_view tool, std::string_view args_json) {
  ASSIGN_OR_RETURN(const json arguments, read_strict_json(args_json));
  return action_from(std::string(tool), arguments, "the action");
}

}  // namespace da::contract
