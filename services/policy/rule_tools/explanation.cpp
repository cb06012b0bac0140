#include "services/policy/rule_tools/explanation.h"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

#include "lib/base/text.h"
#include "lib/contract/catalogue.h"
#include "lib/contract/describe.h"
#include "services/policy/judgement/condition.h"
#include "services/policy/judgement/element_states.h"

namespace da::policy {
namespace {

std::string quoted(const std::string& foreign) { return "\"" + escape_foreign(foreign, 200) + "\""; }

std::string_view ruling_name(Ruling ruling) {
  switch (ruling) {
    case Ruling::kAllow: return "allow";
    case Ruling::kAsk: return "ask";
    case Ruling::kAskSecondFactor: return "ask_second_factor";
    case Ruling::kDeny: return "deny";
  }
  return "deny";
}

// The values that a condition looked at: `process "xterm"`, `chord "alt+f2" or "alt+shift"`.
std::string values_of(std::string_view name, const Explanation& explanation) {
  std::string shown(name);
  if (name == "tool") return shown + " " + explanation.subject.tool;
  if (name == "except") return "its exception holds";
  if (name == "time") {
    const MinuteOfDay minute = explanation.subject.minute;
    std::ostringstream clock;
    clock << "time " << std::setfill('0') << std::setw(2) << minute / 60 << ":" << std::setw(2) << minute % 60;
    return clock.str();
  }
  if (name == "repetition") return "fewer steps than its repetition states";
  if (name == "element_state") {
    for (const v1::UiState state : explanation.subject.element_states) shown += " " + std::string(name_of(state));
    return explanation.subject.element_states.empty() ? shown + " none" : shown;
  }
  for (const Condition& condition : kConditions) {
    if (condition.name != name) continue;
    const auto& facet = explanation.subject.*condition.facet;
    if (!facet) return shown + ": this tool has none";
    std::string values;
    for (const auto* texts : {&facet->actual, &facet->mentioned}) {
      for (const std::string& text : *texts) values += (values.empty() ? " " : " or ") + quoted(text);
    }
    return shown + values;
  }
  return shown;
}

// The conditions that a rule states, by name.
std::vector<std::string_view> conditions_of(const Rule& rule) {
  std::vector<std::string_view> names;
  if (!rule.match.tools.empty()) names.push_back("tool");
  if (!rule.match.element_states.empty()) names.push_back("element_state");
  if (!rule.match.times.empty()) names.push_back("time");
  for (const Condition& condition : kConditions) {
    if (rule.match.*condition.pattern) names.push_back(condition.name);
  }
  return names;
}

std::string line_of(const RuleReading& reading, const Explanation& explanation) {
  std::string facts;
  const auto conditions = conditions_of(*reading.rule);
  const std::vector<std::string_view> shown =
      reading.failed.empty() ? conditions : std::vector<std::string_view>(reading.failed.begin(), reading.failed.end());
  for (const std::string_view name : shown) facts += (facts.empty() ? "" : ", ") + values_of(name, explanation);
  std::ostringstream line;
  line << "  " << (reading.failed.empty() ? "matches  " : "differs  ") << ruling_name(reading.rule->ruling) << " by "
       << reading.rule->name << " (line " << reading.rule->line << "): " << facts << "\n";
  return line.str();
}

}  // namespace

std::string_view verdict_name(const Judgement& judgement) {
  switch (judgement.decision) {
    case v1::Verdict::DECISION_ALLOW: return "allow";
    case v1::Verdict::DECISION_ASK: return judgement.second_factor ? "ask_second_factor" : "ask";
    default: return "deny";
  }
}

Explanation explain(const Rules& rules, const DescribedStep& described) {
  Explanation explanation;
  const v1::Action& action = described.step.action();
  explanation.action_text = contract::describe(action, contract::Extent::kWhole);
  explanation.catalogue_risk = contract::risk_of(action);
  const v1::Evidence* evidence =
      contract::tool_of(action)->options->handler() == v1::HANDLER_ACTUATOR ? &described.evidence : nullptr;
  Circumstances circumstances = described.circumstances;
  for (const Rule& rule : rules.all()) {
    if (rule.match.repetition) circumstances.repeats[rule.name] = described.repeats;
  }
  explanation.judgement = judge(rules, described.step, evidence, circumstances);
  const auto subject = subject_of(explanation.judgement.tool, action, evidence, circumstances);
  if (!subject) return explanation;
  explanation.subject = *subject;
  for (const Rule& rule : rules.all()) {
    auto failed = failed_conditions(rule, *subject);
    if (std::ranges::find(failed, "tool") == failed.end()) explanation.rules.push_back({&rule, std::move(failed)});
  }
  std::ranges::stable_sort(explanation.rules, [](const RuleReading& a, const RuleReading& b) {
    if (a.failed.empty() != b.failed.empty()) return a.failed.empty();
    return a.rule->ruling > b.rule->ruling;
  });
  return explanation;
}

std::string to_text(const Explanation& explanation) {
  const Judgement& judgement = explanation.judgement;
  std::ostringstream text;
  text << explanation.action_text << "\n"
       << "verdict: " << verdict_name(judgement) << " (" << judgement.rule << ": " << judgement.reason << ")\n"
       << "risk:    " << contract::risk_name(judgement.risk);
  if (judgement.risk != explanation.catalogue_risk)
    text << ", raised from " << contract::risk_name(explanation.catalogue_risk);
  text << "\nrules for this tool:" << (explanation.rules.empty() ? " none\n" : "\n");
  for (const RuleReading& reading : explanation.rules) text << line_of(reading, explanation);
  return text.str();
}

Json to_json(const Explanation& explanation) {
  const Judgement& judgement = explanation.judgement;
  Json rules = Json::array();
  for (const RuleReading& reading : explanation.rules) {
    rules.push_back({{"name", reading.rule->name},
                     {"line", reading.rule->line},
                     {"verdict", ruling_name(reading.rule->ruling)},
                     {"matches", reading.failed.empty()},
                     {"failed", reading.failed}});
  }
  return {{"action", explanation.action_text},
          {"verdict", verdict_name(judgement)},
          {"rule", judgement.rule},
          {"reason", judgement.reason},
          {"risk", contract::risk_name(judgement.risk)},
          {"catalogue_risk", contract::risk_name(explanation.catalogue_risk)},
          {"rules", std::move(rules)}};
}

}  // namespace da::policy
