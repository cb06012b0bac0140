// How a rule was evaluated: each condition with measured beside expected values. Plain values; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace da::planner::rules {

enum class Outcome {
  kNotEvaluated,  // A condition before it decided, or the rule rests.
  kHolds,
  kFails,
  kUnavailable,  // The region is not on the screen.
  kError,        // The rule cannot be evaluated.
  kPending,      // An answer is missing.
};
std::string_view to_text(Outcome outcome);

struct ConditionReport {
  std::string type;  // "pixel_color", or "AND", "OR", "NOT".
  std::string region;
  Outcome outcome = Outcome::kNotEvaluated;
  std::string expected;
  std::string measured;  // Foreign.
  std::string reason;    // Of kUnavailable and kError, and notes such as that a match is ambiguous.
  std::vector<ConditionReport> parts;
};

struct RuleReport {
  std::string rule;
  Outcome outcome = Outcome::kNotEvaluated;
  std::string reason;  // Why the rule rests, or why its actions cannot be planned.
  ConditionReport condition;
  std::vector<std::string> actions;  // Descriptions; empty unless the rule acts.
};

// One line per condition, indented; foreign text is escaped.
std::string to_text(const RuleReport& report);
nlohmann::ordered_json to_json(const RuleReport& report);

}  // namespace da::planner::rules
