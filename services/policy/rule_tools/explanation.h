// Explains a judgement: for each rule that applies to the tool, the values that it looked at, and its failed
// conditions. Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "services/policy/judgement/judge.h"
#include "services/policy/rule_tools/described_step.h"

namespace da::policy {

struct RuleReading {
  const Rule* rule;
  std::vector<std::string> failed;  // Conditions that do not hold; empty if the rule matches.
};

struct Explanation {
  std::string action_text;
  v1::Risk catalogue_risk = v1::RISK_CRITICAL;
  Judgement judgement;
  Subject subject;
  std::vector<RuleReading> rules;  // The rules for the tool: matching ones first, then the strictest first.
};

// `rules` must outlive it.
Explanation explain(const Rules& rules, const DescribedStep& described);

// Text for people; foreign text is escaped.
std::string to_text(const Explanation& explanation);
Json to_json(const Explanation& explanation);

// "allow", "ask", "ask_second_factor" or "deny".
std::string_view verdict_name(const Judgement& judgement);

}  // namespace da::policy
