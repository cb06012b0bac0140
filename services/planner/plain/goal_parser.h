// Reads a plain goal, whole, before anything of it is carried out. Pure; any thread.
//
//   open mousepad; type "Hello"; press ctrl+s; type "/tmp/x.txt" into "Name"; click "Save"
//
// Keywords in any case; "the" before a target and a noun such as "button" after it may be given. All sentences are
// listed in kForms, goal_parser.cpp. Errors are kInvalidArgument: line and column (from 1, in characters), what stands
// there and what would be understood. What the tool catalogue does not allow (lengths, key names) is refused here as
// well.
#pragma once

#include <string_view>

#include "lib/base/result.h"
#include "services/planner/plain/goal.h"

namespace da::planner::plain {

// At least one sentence, else an error.
Result<Goal> parse_goal(std::string_view text);

}  // namespace da::planner::plain
