// Finds questionable rules in a valid rule file: rules that can never match or never decide, and contradictions. It
// compares conditions literally, so every report is true for all steps, but equivalent patterns that are written
// differently are not found. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "services/policy/judgement/rules.h"

namespace da::policy {

struct RuleFault {
  std::uint32_t line = 0;  // First line of the rule.
  std::string rule;
  std::string problem;
};

// Sorted by line.
std::vector<RuleFault> find_faults(const Rules& rules);

}  // namespace da::policy
