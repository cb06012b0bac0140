// An action of a rule as calls of tools: everything that a rule does to the desktop becomes steps, which the policy
// judges one by one. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "da/v1/plan.pb.h"
#include "services/planner/rules/engine/analyses.h"
#include "services/planner/rules/engine/condition_check.h"

namespace da::planner::rules {

// A line for the log. It changes nothing on the desktop.
struct LogLine {
  LogLevel level = LogLevel::kInfo;
  std::string text;  // May contain foreign text.
};

// A goal for a model, which proposes steps of its own.
struct TaskCall {
  enum class Planner { kSuggestions, kFull };
  Planner planner = Planner::kSuggestions;
  std::string goal;
  std::vector<std::string> captured;  // What of the goal was captured. Foreign.
  std::vector<std::size_t> regions;
  std::vector<std::string> allowed_tools;  // Names in Mark-I's dialect, or for kFull also the tools' own; empty: all.
  std::uint32_t max_steps = 0;
  bool confirm_each_step = true;
};

// Parts are carried out in order. The steps have places in desktop pixels, and no ids.
using PlannedPart = std::variant<v1::Step, LogLine, TaskCall>;
using PlannedParts = std::vector<PlannedPart>;

// A Question: it is needed to plan the action. An Error: the action cannot be carried out, and must not be in part.
std::variant<PlannedParts, Question, Error> plan_action(const Profile& profile, const Rule& rule, const Action& action,
                                                        const Findings& findings, const Analyses& analyses);

// Describes the part for people; foreign text is escaped.
std::string describe(const PlannedPart& part);

}  // namespace da::planner::rules
