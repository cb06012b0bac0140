// Parses a whole plain goal, before any of it is carried out. Pure; any thread.
//
//   open mousepad; type "Hello"; press ctrl+s; type "/tmp/x.txt" into "Name"; click "Save"
//
// Keywords ignore case; "the" before a target and a noun such as "button" after it are optional. The table
// of lib/contract/goal_sentences.h lists all sentences. Errors are kInvalidArgument with line and column (from 1, in
// characters), the text found and the text expected. Also enforces the catalogue's rules (lengths, key names).
#pragma once

#include <string_view>

#include "lib/base/result.h"
#include "services/planner/plain/language/goal.h"

namespace da::planner::plain {

// Returns at least one sentence.
Result<Goal> parse_goal(std::string_view text);

}  // namespace da::planner::plain
