// Restricts a model to some tools. Immutable; any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "services/planner/model/dialects/dialect.h"

namespace da::planner::rules {

// The same dialect, whose replies may use these tools only (names of the contract, or of Mark-I's dialect). The model
// is told so, and a reply with another tool goes back to it. An empty list allows all.
std::unique_ptr<model::Dialect> allow_only(std::unique_ptr<model::Dialect> dialect,
                                           const std::vector<std::string>& names);

}  // namespace da::planner::rules
