#include "services/policy/rule_tools/described_step.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lib/base/text.h"
#include "lib/contract/evidence/evidence.h"
#include "lib/contract/json/parse.h"
#include "services/policy/judgement/element_states.h"

namespace da::policy {
namespace {

constexpr std::array kWindowKeys = {"window", "process"};
constexpr std::array kPlaceKeys = {"window", "process", "element", "role", "element_state"};
constexpr std::array kKeys = {"tool",    "args",          "window",        "process",    "element",
                              "role",    "element_state", "path",          "argv",       "drop",
                              "passes",  "typed_before",  "run_dialog",    "write_lock", "desktop",
                              "planner", "time",          "allowed_tools", "repeats"};
constexpr std::string_view kNoon = "12:00";

Error wrong(const std::string& key, const std::string& problem) {
  return {Code::kInvalidArgument, escape_foreign(key, 80) + " " + problem};
}

Result<void> only_keys(const Json& object, std::span<const char* const> allowed) {
  for (const auto& [key, value] : object.items()) {
    if (std::ranges::find(allowed, key) != allowed.end()) continue;
    std::string names;
    for (const char* name : allowed) names += (names.empty() ? "" : ", ") + std::string(name);
    return wrong(key, "is unknown; allowed are " + names);
  }
  return ok();
}

Result<std::string> text(const Json& object, const std::string& key) {
  const auto found = object.find(key);
  if (found == object.end()) return std::string();
  if (!found->is_string()) return wrong(key, "must be a string");
  return found->get<std::string>();
}

Result<std::vector<std::string>> texts(const Json& object, const std::string& key) {
  const auto found = object.find(key);
  if (found == object.end()) return std::vector<std::string>();
  const bool all_texts =
      found->is_array() && std::ranges::all_of(*found, [](const Json& item) { return item.is_string(); });
  if (!all_texts) return wrong(key, "must be a list of strings");
  return found->get<std::vector<std::string>>();
}

struct Place {
  std::optional<v1::Window> window;
  std::optional<v1::UiNode> element;
};

Result<Place> read_place(const Json& object) {
  Place place;
  ASSIGN_OR_RETURN(const auto title, text(object, "window"));
  ASSIGN_OR_RETURN(const auto process, text(object, "process"));
  if (object.contains("window") || object.contains("process")) {
    place.window.emplace();
    place.window->set_title(title);
    place.window->set_executable(process);
  }
  ASSIGN_OR_RETURN(const auto name, text(object, "element"));
  ASSIGN_OR_RETURN(const auto role, text(object, "role"));
  ASSIGN_OR_RETURN(const auto states, texts(object, "element_state"));
  if (!object.contains("element") && !object.contains("role") && states.empty()) return place;
  place.element.emplace();
  place.element->set_name(name);
  place.element->set_role(role);
  for (const std::string& state : states) {
    const auto known = element_state(state);
    if (!known)
      return wrong("element_state",
                   "\"" + escape_foreign(state, 40) + "\" is unknown; allowed are " + element_state_names());
    place.element->add_states(*known);
  }
  return place;
}

Result<void> read_files(const Json& object, DescribedStep& described) {
  const v1::Action& action = described.step.action();
  ASSIGN_OR_RETURN(auto path, text(object, "path"));
  ASSIGN_OR_RETURN(auto argv, texts(object, "argv"));
  if (action.has_launch() && argv.empty()) {
    std::istringstream words(action.launch().command());
    for (std::string word; words >> word;) argv.push_back(word);
  }
  if (path.empty() && action.has_launch() && !argv.empty()) {
    path = argv.front().starts_with('/') ? argv.front() : "/usr/bin/" + argv.front();
  }
  if (path.empty() && action.has_file_delete()) path = action.file_delete().path();
  described.evidence.set_canonical_path(path);
  for (const std::string& word : argv) described.evidence.add_argv(word);
  return ok();
}

Result<void> read_evidence(const Json& object, DescribedStep& described) {
  v1::Evidence& evidence = described.evidence;
  ASSIGN_OR_RETURN(const Place place, read_place(object));
  if (contract::is_keyboard_tool(described.step.action())) {
    if (place.window) *evidence.mutable_foreground() = *place.window;
    if (place.element) *evidence.mutable_focused_element() = *place.element;
  } else {
    if (place.window) *evidence.mutable_target_window() = *place.window;
    if (place.element) *evidence.mutable_target_element() = *place.element;
  }
  if (const auto drop = object.find("drop"); drop != object.end()) {
    if (!drop->is_object()) return wrong("drop", "must be an object");
    RETURN_IF_ERROR(only_keys(*drop, kPlaceKeys));
    ASSIGN_OR_RETURN(const Place end, read_place(*drop));
    if (end.window) *evidence.mutable_drop_window() = *end.window;
    if (end.element) *evidence.mutable_drop_element() = *end.element;
  }
  if (const auto passed = object.find("passes"); passed != object.end()) {
    if (!passed->is_array()) return wrong("passes", "must be a list of windows that the drag passes");
    for (const Json& each : *passed) {
      if (!each.is_object()) return wrong("passes", "must be a list of objects");
      RETURN_IF_ERROR(only_keys(each, kWindowKeys));
      ASSIGN_OR_RETURN(const Place place, read_place(each));
      if (place.window) *evidence.add_passed_windows() = *place.window;
    }
  }
  return read_files(object, described);
}

Result<void> read_circumstances(const Json& object, DescribedStep& described) {
  Circumstances& circumstances = described.circumstances;
  ASSIGN_OR_RETURN(const auto lock, text(object, "write_lock"));
  if (!lock.empty() && lock != "open" && lock != "closed") return wrong("write_lock", "must be \"open\" or \"closed\"");
  if (lock == "open") circumstances.write_lock = WriteLockView::kOpen;
  ASSIGN_OR_RETURN(circumstances.earlier.text, text(object, "typed_before"));
  circumstances.earlier.strokes.fill(circumstances.earlier.text);
  ASSIGN_OR_RETURN(circumstances.earlier.run_dialog.command, text(object, "run_dialog"));
  circumstances.earlier.run_dialog.open = object.contains("run_dialog");
  ASSIGN_OR_RETURN(circumstances.desktop_id, text(object, "desktop"));
  ASSIGN_OR_RETURN(circumstances.planner, text(object, "planner"));
  ASSIGN_OR_RETURN(const auto tools, texts(object, "allowed_tools"));
  circumstances.allowed_tools = {tools.begin(), tools.end()};
  ASSIGN_OR_RETURN(const auto time, text(object, "time"));
  const auto minute = parse_minute(time.empty() ? kNoon : time);
  if (!minute) return wrong("time", minute.error().message);
  circumstances.minute = *minute;
  const auto repeats = object.find("repeats");
  if (repeats == object.end()) return ok();
  if (!repeats->is_number_unsigned() || *repeats > kMaxRepetition)
    return wrong("repeats", "must be a number of steps, at most " + std::to_string(kMaxRepetition));
  described.repeats = repeats->get<std::uint32_t>();
  return ok();
}

}  // namespace

Result<DescribedStep> describe_step(const Json& object) {
  if (!object.is_object())
    return Error{Code::kInvalidArgument, "a step must be an object with tool, args and evidence"};
  RETURN_IF_ERROR(only_keys(object, kKeys));
  DescribedStep described;
  ASSIGN_OR_RETURN(const auto tool, text(object, "tool"));
  if (tool.empty()) return wrong("tool", "is missing: the name of the tool that is called");
  const auto args = object.find("args");
  ASSIGN_OR_RETURN(*described.step.mutable_action(),
                   contract::parse_action(tool, args == object.end() ? "{}" : args->dump()));
  described.step.set_step_id("step");
  RETURN_IF_ERROR(read_circumstances(object, described));
  RETURN_IF_ERROR(read_evidence(object, described));
  return described;
}

}  // namespace da::policy
