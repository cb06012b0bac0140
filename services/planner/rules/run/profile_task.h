// The planner of a rule profile, which is read and checked when the task is started. Any thread.
#pragma once

#include <memory>

#include "lib/base/result.h"
#include "services/planner/preparation.h"

namespace da::planner::rules {

// The name of this planner, in StartTaskRequest and in rules of the policy.
inline constexpr const char* kProfile = "profile";

Result<std::unique_ptr<PreparedTask>> prepare_profile_task(const Preparation& preparation);

}  // namespace da::planner::rules
