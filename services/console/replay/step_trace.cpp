#include "services/console/replay/step_trace.h"

namespace da::console {

void StepTrace::add_plan(const v1::Plan& plan) {
  for (const v1::Step& step : plan.steps()) {
    by_id_[step.step_id()].step = step;
    planned_.push_back(step.step_id());
  }
}

void StepTrace::add_outcome(const v1::Outcome& outcome) { by_id_[outcome.step_id()].outcome = outcome; }

std::vector<const TracedStep*> StepTrace::steps() const {
  std::vector<const TracedStep*> steps;
  for (const std::string& id : planned_) steps.push_back(&by_id_.at(id));
  return steps;
}

}  // namespace da::console
