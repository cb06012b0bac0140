// Test cases for a rule file: steps, and the expected judgement of each.
//
//   [[case]]
//   name = "rm in a terminal asks"        # unique
//   tool = "write"
//   args = {text = "rm -rf ~"}
//   process = "xterm"                     # and the other keys of described_step.h
//   expect = "ask"                        # "allow", "ask", "ask_second_factor" or "deny"
//   rule = "terminals"                    # optional: the rule that must decide
//   risk = "critical"                     # optional
//
// Pure; any thread. Errors name file, line and key.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/result.h"
#include "services/policy/rule_tools/described_step.h"

namespace da::policy {

struct RuleCase {
  std::string name;
  std::uint32_t line = 0;
  DescribedStep described;
  std::string expect;
  std::string rule;  // Empty: any.
  std::string risk;  // Empty: any.
};

Result<std::vector<RuleCase>> parse_cases(std::string_view toml, const std::string& file);

// "expected ask by terminals; got allow by ordinary-work, risk write: ..."; nullopt if the case passes.
std::optional<std::string> failure(const Rules& rules, const RuleCase& one);

}  // namespace da::policy
