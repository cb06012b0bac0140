// Finds the place of a click action. Pure; any thread.
#pragma once

#include <string>
#include <variant>

#include "services/planner/rules/engine/condition_check.h"

namespace da::planner::rules {

struct ClickTarget {
  Point at;                // Desktop pixels.
  std::string element_id;  // Empty unless the target is a ui_element.
  std::string words;       // Shown to people: `the middle in the region "dialog"`; names are quoted and escaped.
};

std::variant<ClickTarget, Question, Error> find_click_target(const Profile& profile, const Rule& rule,
                                                             const Click& click, const Findings& findings,
                                                             const Analyses& analyses);

}  // namespace da::planner::rules
