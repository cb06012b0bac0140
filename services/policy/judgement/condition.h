// The conditions of a rule (rules.h describes them), and the facet of a step that each pattern is matched against.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "da/v1/observation.pb.h"
#include "lib/base/clock.h"
#include "lib/base/pattern.h"
#include "services/policy/judgement/subject.h"
#include "services/policy/judgement/time_of_day.h"

namespace da::policy {

// The most steps that a repetition may count.
inline constexpr std::uint32_t kMaxRepetition = 1000;

struct Repetition {
  std::uint32_t times = 0;
  Milliseconds within{};
  auto operator<=>(const Repetition&) const = default;
};

struct Match {
  std::set<std::string> tools;           // Empty: every tool.
  std::set<v1::UiState> element_states;  // Empty: any; otherwise the element has one of them.
  std::optional<Pattern> window;
  std::optional<Pattern> process;
  std::optional<Pattern> element;
  std::optional<Pattern> role;
  std::optional<Pattern> chord;
  std::optional<Pattern> text;
  std::optional<Pattern> command;
  std::optional<Pattern> path;
  std::optional<Pattern> desktop;
  std::optional<Pattern> planner;
  std::set<TimeSpan> times;  // Empty: any.
  std::optional<Repetition> repetition;
};

// A condition that takes patterns.
struct Condition {
  std::string_view name;  // Key in the rule file.
  std::optional<Pattern> Match::*pattern;
  std::optional<Facet> Subject::*facet;
};

inline constexpr std::array<Condition, 10> kConditions = {{{"window", &Match::window, &Subject::window},
                                                           {"process", &Match::process, &Subject::process},
                                                           {"element", &Match::element, &Subject::element},
                                                           {"role", &Match::role, &Subject::role},
                                                           {"chord", &Match::chord, &Subject::chord},
                                                           {"text", &Match::text, &Subject::text},
                                                           {"command", &Match::command, &Subject::command},
                                                           {"path", &Match::path, &Subject::path},
                                                           {"desktop", &Match::desktop, &Subject::desktop},
                                                           {"planner", &Match::planner, &Subject::planner}}};

}  // namespace da::policy
