// One gemini_perform_task of a rule. The model is asked again and again, each time with the screen and the outcome of
// its last steps, until it says that nothing is left to do. A task without a command makes single suggestions about the
// context regions, as Mark-I's decision module does; one with natural_language_command makes the plans of a goal.
//
// It only proposes: the policy judges each step. Before that, a proposal is refused that acts outside of the context
// regions, or names a secret; the model is told why. Only the task's thread calls. The constructor's references must
// outlive the object.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "lib/base/result.h"
#include "services/planner/model/model_caller.h"
#include "services/planner/model/model_planner.h"
#include "services/planner/proposer.h"
#include "services/planner/rules/engine/planned_action.h"
#include "services/planner/rules/run/model_calls.h"
#include "services/planner/rules/run/task/context_regions.h"
#include "services/planner/task/task_view.h"

namespace da::planner::rules {

// `"log in", at most 5 steps, each confirmed by a person`, for people.
std::string describe_task(const TaskCall& call);

class RuleTask {
 public:
  // Reports what the model does, for people. `step` counts from 1.
  using Tell = std::function<void(std::uint32_t step, const std::string& text)>;

  RuleTask(const Profile& profile, const Rule& rule, TaskCall call, ModelCalls& models, TaskView& view, Tell tell);

  // The next steps, or Plan.done if the model says that nothing is left, or if a step has closed the windows of all its
  // regions. Blocks while the model is asked.
  // Errors: kUnavailable, kDeadlineExceeded and kCancelled as Proposer::decide; every other one is the task's failure.
  Result<v1::Plan> next(const v1::Observation& latest, Attempt attempt);

  // Takes a step's outcome, as Proposer::hear does. An error is the task's failure: the step was denied or interrupted,
  // or too many failed in a row.
  Result<void> hear(const v1::Step& step, const Event& event);
  void see(const planner::Answer& answer) { planner_->see(answer); }
  void resumed() { planner_->resumed(); }

 private:
  Result<void> look_at_regions();
  bool are_regions_gone() const { return regions_.empty() && !call_.regions.empty(); }
  Result<v1::Plan> end_without_regions();
  Result<std::optional<v1::Plan>> check(v1::Plan plan, const v1::Observation& seen);
  Result<void> check(const v1::Step& step, const v1::Observation& seen);
  Error with_last_problem(const Error& error) const;
  void tell(const std::string& text) const { tell_(done_ + 1, text); }

  const Profile& profile_;
  const std::string rule_;
  const TaskCall call_;
  model::ModelCaller caller_;
  TaskView& view_;
  const Tell tell_;
  std::unique_ptr<model::Dialect> dialect_;
  std::unique_ptr<model::ModelPlanner> planner_;
  ContextRegions regions_;      // Where they were before the last question.
  bool begun_ = false;          // The model was asked.
  std::uint32_t done_ = 0;      // Steps that were carried out, as max_steps counts them.
  bool counted_ = false;        // The last suggestion is in done_.
  std::uint32_t failures_ = 0;  // Failed steps and refused proposals in a row.
  std::string last_problem_;
};

}  // namespace da::planner::rules
