#include "services/planner/plain/plain_task.h"

#include <utility>

#include "services/planner/plain/language/goal_bounds.h"
#include "services/planner/plain/language/goal_parser.h"
#include "services/planner/plain/plain_planner.h"

namespace da::planner::plain {
namespace {

class PlainTask final : public PreparedTask {
 public:
  explicit PlainTask(Goal goal) : goal_(std::move(goal)) {}

  std::string planner() const override { return model::kPlain; }

  v1::TaskResult run(const TaskRun& task) override {
    PlainPlanner proposer(goal_, task.view, task.request.dry_run() ? Patience::kNow : Patience::kWait);
    Limits limits;
    limits.max_turns = turn_bound(goal_, limits.max_stale_retries + 1);
    limits.max_failures = failure_bound(goal_);
    return task.carry_out(proposer, limits);
  }

 private:
  const Goal goal_;
};

}  // namespace

Result<std::unique_ptr<PreparedTask>> prepare_plain_task(const Preparation& preparation) {
  // Refuses a model without a provider.
  RETURN_IF_ERROR(preparation.models.choose(model::kPlain, preparation.request.model()));
  ASSIGN_OR_RETURN(auto goal, parse_goal(preparation.request.goal()));
  return std::unique_ptr<PreparedTask>(std::make_unique<PlainTask>(std::move(goal)));
}

}  // namespace da::planner::plain
