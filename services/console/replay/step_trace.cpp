#include "services/console/replay/step_trace.h"

namespace da::console {

void StepTrace::add_plan(const v1::Plan& plan) {
  if (plan.has_done()) done_ = plan.done();
  for (const v1::Step& step : plan.steps()) {
    if (by_id_.try_emplace(step.step_id(), steps_.size()).second) steps_.push_back({.step = step});
  }
}

void StepTrace::add_outcome(const v1::Outcome& outcome) {
  if (auto* step = find(outcome.step_id())) step->outcome = outcome;
}

TracedStep* StepTrace::find(const std::string& step_id) {
  const auto found = by_id_.find(step_id);
  return found == by_id_.end() ? nullptr : &steps_[found->second];
}

}  // namespace da::console
