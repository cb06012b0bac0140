#include "services/planner/task/prepared_task.h"

#include "lib/base/text.h"

namespace da::planner {

Result<void> check_free_goal(const std::string& goal) {
  constexpr std::size_t kMaxBytes = 20'000;
  if (trim(goal).empty()) return Error{Code::kInvalidArgument, "the goal is empty"};
  if (!is_valid_utf8(goal)) return Error{Code::kInvalidArgument, "the goal is not valid UTF-8"};
  if (goal.size() > kMaxBytes) {
    return Error{Code::kInvalidArgument, "the goal is longer than " + std::to_string(kMaxBytes) + " bytes"};
  }
  return ok();
}

}  // namespace da::planner
