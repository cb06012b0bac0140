// Asks a model for one task: tries again where that helps, keeps to the task's budget, and tells the bus of each call.
// One thread, the task's. What it is given must outlive it.
#pragma once

#include <functional>
#include <string>

#include "da/v1/model.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/planner/model/budget.h"
#include "services/planner/model/model.h"
#include "services/planner/model/retry.h"
#include "services/planner/task_cancel.h"

namespace da::planner::model {

struct CallRules {
  RetryRules retry;
  Milliseconds timeout{120'000};     // Of one try.
  MonoTime until = MonoTime::max();  // No try goes on after it: the time limit of the task.
};

class ModelCaller {
 public:
  // `tell` gets each call once it is over, whatever came of it.
  using Tell = std::function<void(v1::ModelCall&&)>;

  ModelCaller(Model& model, CallRules rules, BudgetLimits limits, const PriceTable& prices, const Clock& clock,
              TaskCancel& cancel, Tell tell);

  // Errors, naming provider and model: the last try's, but kAborted where the provider cannot be reached or does not
  // answer; kResourceExhausted where the budget is used up, before it asks or while it waits; kFailedPrecondition where
  // money is limited and the model has no price; kCancelled.
  Result<Reply> ask(const Request& request);

  const Model& model() const { return model_; }
  const Budget& budget() const { return budget_; }

 private:
  Result<Reply> try_until_answered(const Request& request, MonoTime until, v1::ModelCall& call);

  Model& model_;
  const CallRules rules_;
  const Price* const price_;  // Null: not known.
  const bool counts_money_;
  const Clock& clock_;
  TaskCancel& cancel_;
  const Tell tell_;
  Budget budget_;
};

}  // namespace da::planner::model
