// Reads one rule of a profile: its conditions, then its actions, which may use what the conditions capture. Pure; any
// thread.
#pragma once

#include "services/planner/rules/profile/object_reader.h"

namespace da::planner::rules {

// `index` names a rule without a name: "rule 3". Problems go to the context.
Rule read_rule(ObjectReader& reader, ReadContext& context, std::size_t index);

}  // namespace da::planner::rules
