// The planner of plain sentences: parses the whole goal when the task is started. Any thread.
#pragma once

#include <memory>

#include "lib/base/result.h"
#include "services/planner/preparation.h"

namespace da::planner::plain {

Result<std::unique_ptr<PreparedTask>> prepare_plain_task(const Preparation& preparation);

}  // namespace da::planner::plain
