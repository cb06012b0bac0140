#include "services/policy/rule_tools/rule_faults.h"

#include <algorithm>
#include <map>

#include "lib/contract/catalogue.h"
#include "services/policy/judgement/condition.h"

namespace da::policy {
namespace {

constexpr std::string_view kElementState = "element_state";

// A minimal action of the tool for which subject_of() succeeds.
v1::Action sample_of(const contract::Tool& tool) {
  v1::Action action;
  auto& arguments = *action.GetReflection()->MutableMessage(&action, tool.field);
  for (int i = 0; i < tool.arguments->field_count(); ++i) {
    const auto* field = tool.arguments->field(i);
    if (!field->is_repeated()) continue;
    if (field->cpp_type() == google::protobuf::FieldDescriptor::CPPTYPE_STRING) {
      arguments.GetReflection()->AddString(&arguments, field, "a");
    } else if (field->cpp_type() == google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE) {
      arguments.GetReflection()->AddMessage(&arguments, field);
    }
  }
  return action;
}

// The conditions that can hold for the tool: those whose facet its subject has.
std::set<std::string_view> conditions_for(const contract::Tool& tool) {
  const v1::Evidence empty_evidence;
  const bool acts = tool.options->handler() == v1::HANDLER_ACTUATOR;
  const auto subject = subject_of(tool.name(), sample_of(tool), acts ? &empty_evidence : nullptr);
  std::set<std::string_view> names;
  if (!subject) return names;
  for (const Condition& condition : kConditions) {
    if ((*subject).*condition.facet) names.insert(condition.name);
  }
  if (subject->element) names.insert(kElementState);
  return names;
}

const std::map<std::string, std::set<std::string_view>>& conditions_by_tool() {
  static const auto found = [] {
    std::map<std::string, std::set<std::string_view>> conditions;
    for (const contract::Tool& tool : contract::tools()) conditions[tool.name()] = conditions_for(tool);
    return conditions;
  }();
  return found;
}

std::set<std::string_view> stated_in(const Match& match) {
  std::set<std::string_view> names;
  if (!match.element_states.empty()) names.insert(kElementState);
  for (const Condition& condition : kConditions) {
    if (match.*condition.pattern) names.insert(condition.name);
  }
  return names;
}

// Reports tools that the rule can never match, because they lack the facet of one of its conditions.
void find_idle_tools(const Rule& rule, std::vector<RuleFault>& faults) {
  const auto stated = stated_in(rule.match);
  std::size_t idle = 0;
  std::string example;
  for (const auto& [tool, possible] : conditions_by_tool()) {
    if (!rule.match.tools.empty() && !rule.match.tools.contains(tool)) continue;
    const auto missing = std::ranges::find_if(
        stated, [&possible = possible](std::string_view name) { return !possible.contains(name); });
    if (missing == stated.end()) continue;
    ++idle;
    if (example.empty()) example = tool + " has no " + std::string(*missing);
  }
  const std::size_t named = rule.match.tools.empty() ? conditions_by_tool().size() : rule.match.tools.size();
  if (idle == named) {
    faults.push_back({rule.line, rule.name, "can never match: " + example});
  } else if (idle > 0 && !rule.match.tools.empty()) {
    faults.push_back({rule.line, rule.name, "names a tool that it can never match: " + example});
  }
}

bool covers(const std::optional<Pattern>& wide, const std::optional<Pattern>& narrow) {
  if (!wide) return true;
  if (!narrow) return false;
  return std::ranges::all_of(narrow->expressions(), [&](const std::string& expression) {
    return std::ranges::find(wide->expressions(), expression) != wide->expressions().end();
  });
}

template <class Value>
bool covers(const std::set<Value>& wide, const std::set<Value>& narrow) {
  if (wide.empty()) return true;
  return !narrow.empty() && std::ranges::includes(wide, narrow);
}

bool covers(const Match& wide, const Match& narrow) {
  return covers(wide.tools, narrow.tools) && covers(wide.element_states, narrow.element_states) &&
         covers(wide.times, narrow.times) && (!wide.repetition || wide.repetition == narrow.repetition) &&
         std::ranges::all_of(kConditions, [&](const Condition& condition) {
           return covers(wide.*condition.pattern, narrow.*condition.pattern);
         });
}

// Whether `wide` matches every step that `narrow` matches. An allow rule must match all facets of a step, a stricter
// rule any of them, so an allow rule with a pattern covers no stricter rule.
bool covers(const Rule& wide, const Rule& narrow) {
  if (!wide.except.empty() || !covers(wide.match, narrow.match)) return false;
  if (wide.ruling != Ruling::kAllow || narrow.ruling == Ruling::kAllow) return true;
  return std::ranges::none_of(kConditions,
                              [&](const Condition& condition) { return (wide.match.*condition.pattern).has_value(); });
}

std::string named(const Rule& rule) { return "\"" + rule.name + "\" (line " + std::to_string(rule.line) + ")"; }

// Why `other` makes `rule` useless; empty if it does not.
std::string overruled_by(const Rule& other, const Rule& rule) {
  if (!covers(other, rule)) return {};
  const bool same_conditions = rule.except.empty() && covers(rule.match, other.match);
  if (other.ruling > rule.ruling) {
    if (same_conditions) return "contradicts " + named(other) + ", which states the same conditions and is stricter";
    const bool raises = rule.raised_to > other.raised_to && other.ruling != Ruling::kDeny;
    return raises ? "" : "never decides: " + named(other) + " matches all its steps and is stricter";
  }
  if (other.ruling != rule.ruling || other.raised_to < rule.raised_to) return {};
  // Only the later one of two equal rules is reported.
  if (same_conditions && other.raised_to == rule.raised_to && other.line > rule.line) return {};
  return "adds nothing: " + named(other) + " gives the same verdict for all its steps";
}

}  // namespace

std::vector<RuleFault> find_faults(const Rules& rules) {
  std::vector<RuleFault> faults;
  for (const Rule& rule : rules.all()) {
    find_idle_tools(rule, faults);
    for (const Rule& other : rules.all()) {
      if (&other == &rule) continue;
      if (auto problem = overruled_by(other, rule); !problem.empty()) {
        faults.push_back({rule.line, rule.name, std::move(problem)});
        break;
      }
    }
  }
  std::ranges::stable_sort(faults, {}, &RuleFault::line);
  return faults;
}

}  // namespace da::policy
