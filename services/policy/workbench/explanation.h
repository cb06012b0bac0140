// Why a step is judged as it is: what each rule that knows the tool looked at, and which of its conditions failed.
// Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "services/policy/judge.h"
#include "services/policy/workbench/described_step.h"

namespace da::policy {

struct RuleReading {
  const Rule* rule;
  std::vector<std::string> failed;  // Conditions that do not hold; empty where the rule matches.
};

struct Explanation {
  std::string action_text;
  v1::Risk catalogue_risk = v1::RISK_CRITICAL;
  Judgement judgement;
  Subject subject;
  std::vector<RuleReading> rules;  // Those that know the tool: the matching ones first, strictest first.
};

// `rules` must outlive it.
Explanation explain(const Rules& rules, const DescribedStep& described);

// For people; foreign text is escaped.
std::string to_text(const Explanation& explanation);
nlohmann::json to_json(const Explanation& explanation);

// "allow", "ask", "ask_second_factor", "deny".
std::string_view verdict_name(const Judgement& judgement);

}  // namespace da::policy
