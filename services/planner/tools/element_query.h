// The planner's names for lib/contract/element_query.h.
#pragma once

#include "lib/contract/element_query.h"

namespace da::planner {

using contract::describe_target;
using contract::ElementQuery;
using contract::kMaxElementIndex;
using contract::parse_element_query;
using contract::parse_ordinal;
using contract::to_text;

}  // namespace da::planner
