// Tells how many decisions a goal may need at most. Pure; any thread.
#pragma once

#include <cstdint>

#include "services/planner/plain/language/goal.h"

namespace da::planner::plain {

// Returns the maximum number of decisions for a goal, if each step may be tried `tries_per_step` times.
std::uint32_t turn_bound(const Goal& goal, std::uint32_t tries_per_step);

// Returns Limits::max_failures for the goal: unlimited if it has optional sentences, because the planner itself ends
// the task after another sentence fails.
std::uint32_t failure_bound(const Goal& goal);

}  // namespace da::planner::plain
