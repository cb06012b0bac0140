// Parses the condition after "check", "if", "while" and "wait until". Only the other parsers of goals use it. Pure; any
// thread.
#pragma once

#include "lib/base/result.h"
#include "services/planner/plain/language/goal.h"
#include "services/planner/plain/language/sentence_reader.h"

namespace da::planner::plain {

Result<Check> parse_condition(SentenceReader& in);

}  // namespace da::planner::plain
