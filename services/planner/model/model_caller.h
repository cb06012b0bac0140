// Calls a model for one task: retries, keeps to the task's budget, which callers of other models may share, and reports
// each call for the bus. One thread, the task's. The constructor's references must outlive the object.
#pragma once

#include <functional>
#include <string>

#include "da/v1/model.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/bus/publisher.h"
#include "services/planner/model/budget.h"
#include "services/planner/model/model.h"
#include "services/planner/model/retry.h"
#include "services/planner/task/task_cancel.h"
#include "services/planner/task/task_view.h"

namespace da::planner::model {

struct CallRules {
  RetryRules retry;
  Milliseconds timeout{120'000};     // Limit of one try.
  MonoTime until = MonoTime::max();  // The task's time limit, which ends every try.
};

class ModelCaller {
 public:
  // Gets each call when it ends, with or without success.
  using Report = std::function<void(v1::ModelCall&&)>;

  ModelCaller(Model& model, CallRules rules, Budget& budget, const PriceTable& prices, const Clock& clock,
              TaskCancel& cancel, Report report);

  // Errors name provider and model. They are those of the last try, except for:
  //   kAborted            the provider cannot be reached or does not answer
  //   kResourceExhausted  the budget is used up, before or during the call
  //   kFailedPrecondition money is limited, but the model has no price
  //   kCancelled
  Result<Reply> ask(const Request& request);

  const Model& model() const { return model_; }
  const Budget& budget() const { return budget_; }

 private:
  Result<Reply> try_until_answered(const Request& request, MonoTime until, v1::ModelCall& call);

  Model& model_;
  const CallRules rules_;
  const Price* const price_;  // Null: unknown.
  const bool counts_money_;
  const Clock& clock_;
  TaskCancel& cancel_;
  const Report report_;
  Budget& budget_;
};

// Publishes each call as a fact of the task. `bus` and `view` must outlive it.
ModelCaller::Report publish_calls(bus::Publisher& bus, const std::string& task_id, const TaskView& view);

}  // namespace da::planner::model
