#include "services/planner/model/model_task.h"

#include <utility>

#include "services/planner/model/budget.h"
#include "services/planner/model/model_caller.h"
#include "services/planner/model/model_planner.h"

namespace da::planner::model {
namespace {

class ModelTask final : public PreparedTask {
 public:
  ModelTask(const Settings& settings, Choice choice, std::unique_ptr<Model> model)
      : settings_(settings), choice_(std::move(choice)), model_(std::move(model)) {}

  std::string planner() const override { return choice_.planner; }
  // A model would repeat its first plan, because nothing was carried out.
  Plans plans_of_dry_run() const override { return Plans::kFirst; }

  v1::TaskResult run(const TaskRun& task) override {
    const v1::StartTaskRequest& request = task.request;
    const bool suggests = request.has_decision();
    const std::string& provider = model_->sized_for();
    const auto images = image_wants(settings_, provider, suggests ? Names::kDescriptions : Names::kPlaces);
    task.view.want_images(images);
    CallRules rules = settings_.rules;
    rules.until = task.view.time_limit();
    Budget budget(settings_.budget);
    ModelCaller caller(*model_, rules, budget, settings_.prices, task.clock, task.cancel,
                       publish_calls(task.bus, request.task_id(), task.view));
    const auto dialect = suggests ? suggestion_dialect(request.decision()) : dialect_of(provider, images);
    const auto options = suggests ? decision_options(settings_.options, request.decision()) : settings_.options;
    ModelPlanner proposer(request.goal(), *dialect, caller, task.view, options);
    proposer.report_problems([&](v1::PartFailed::Stage stage, const std::string& problem) {
      v1::PartFailed fact;
      fact.set_stage(stage);
      fact.set_reason(problem);
      task.bus.publish(fact, request.task_id(), task.view.cause());
    });
    Limits limits;
    // ModelPlanner counts the model's turns; each can lead to at most kMaxStepsPerTurn decisions of its steps.
    limits.max_turns = options.max_turns * (contract::kMaxStepsPerTurn + 1) + 1;
    limits.max_failures = kMaxFailures;
    return with_summary(task.carry_out(proposer, limits), request, budget);
  }

 private:
  v1::TaskResult with_summary(v1::TaskResult result, const v1::StartTaskRequest& request, const Budget& budget) const {
    const bool idle = result.end() == v1::TASK_END_DONE && result.parts_carried_out() == 0 && !request.dry_run();
    result.set_summary(result.summary() + (idle ? " (nothing was carried out)" : "") + " (" + choice_.planner + ", " +
                       choice_.model + ": " + budget.spent() + ")");
    return result;
  }

  const Settings& settings_;
  const Choice choice_;
  const std::unique_ptr<Model> model_;
};

}  // namespace

Result<std::unique_ptr<PreparedTask>> prepare_model_task(const Preparation& preparation) {
  const v1::StartTaskRequest& request = preparation.request;
  OpenedModels& models = preparation.models;
  ASSIGN_OR_RETURN(auto choice, models.choose(request.planner(), request.model()));
  RETURN_IF_ERROR(check_free_goal(request.goal()));
  if (request.has_decision()) RETURN_IF_ERROR(check_decision(request.decision()));
  ASSIGN_OR_RETURN(auto model, models.open(choice));
  return std::unique_ptr<PreparedTask>(
      std::make_unique<ModelTask>(models.settings(), std::move(choice), std::move(model)));
}

}  // namespace da::planner::model
