// Calls the models of a profile for one run. All calls count for the budget of the task, whichever model is asked. One
// thread, the task's. The constructor's references must outlive the object.
#pragma once

#include <string>

#include "services/planner/model/budget.h"
#include "services/planner/model/model_caller.h"
#include "services/planner/rules/run/profile_models.h"

namespace da::planner::rules {

class ModelCalls {
 public:
  // `until`: the task's time limit.
  ModelCalls(ProfileModels& models, const model::Settings& settings, MonoTime until, const Clock& clock,
             TaskCancel& cancel, model::ModelCaller::Report report)
      : models_(models),
        settings_(settings),
        until_(until),
        clock_(clock),
        cancel_(cancel),
        report_(std::move(report)),
        budget_(settings.budget) {}

  bool empty() const { return models_.empty(); }
  // The form of images for a model that the profile needs.
  const v1::ImageLimits& image_limits(const std::string& name) { return models_.find(name)->limits; }

  // Returns a caller of a model that the profile needs. All its tries and waits end within `longest` from now.
  model::ModelCaller caller(const std::string& name, Milliseconds longest) {
    model::CallRules rules = settings_.rules;
    rules.timeout = std::min(rules.timeout, longest);
    rules.retry.longest_in_all = std::min(rules.retry.longest_in_all, longest);
    rules.until = std::min(until_, clock_.now() + longest);
    return {*models_.find(name)->model, rules, budget_, settings_.prices, clock_, cancel_, report_};
  }

  // Likewise, until the task's time limit.
  model::ModelCaller caller(const std::string& name) {
    model::CallRules rules = settings_.rules;
    rules.until = until_;
    return {*models_.find(name)->model, rules, budget_, settings_.prices, clock_, cancel_, report_};
  }

  const model::Settings& settings() const { return settings_; }
  const model::Budget& budget() const { return budget_; }

 private:
  ProfileModels& models_;
  const model::Settings& settings_;
  const MonoTime until_;
  const Clock& clock_;
  TaskCancel& cancel_;
  const model::ModelCaller::Report report_;
  model::Budget budget_;
};

}  // namespace da::planner::rules
