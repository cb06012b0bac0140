// Finds the place of a click action. Pure; any thread.
#pragma once

#include <string>
#include <variant>

#include "services/planner/rules/engine/condition_check.h"

namespace da::planner::rules {

struct ClickTarget {
  Point at;                // Desktop pixels.
  std::string element_id;  // Of a ui_element target.
  std::string words;       // For people: `middle of the region "dialog"`; names are quoted and escaped.
};

std::variant<ClickTarget, Question, Error> find_click_target(const Profile& profile, const Rule& rule,
                                                             const Click& click, const Findings& findings,
                                                             const Analyses& analyses);

}  // namespace da::planner::rules
