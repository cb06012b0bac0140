// What is odd about a rule file that can be read: rules that can never match or never decide, and rules that contradict
// each other. Found by comparing conditions as they are written, so that what is reported holds for every step; two
// patterns that mean the same in other words are not noticed. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "services/policy/rules.h"

namespace da::policy {

struct RuleFault {
  std::uint32_t line = 0;  // Of the rule.
  std::string rule;
  std::string problem;
};

// By line.
std::vector<RuleFault> find_faults(const Rules& rules);

}  // namespace da::policy
