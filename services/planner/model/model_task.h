// The planner of a provider's model: the goal is free text. Any thread.
#pragma once

#include <memory>

#include "lib/base/result.h"
#include "services/planner/preparation.h"

namespace da::planner::model {

Result<std::unique_ptr<PreparedTask>> prepare_model_task(const Preparation& preparation);

}  // namespace da::planner::model
