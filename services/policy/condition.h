// The conditions of a rule that take patterns: what the file calls them, and the aspect of a step that each looks at.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "services/policy/rules.h"
#include "services/policy/subject.h"

namespace da::policy {

struct Condition {
  std::string_view name;
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
