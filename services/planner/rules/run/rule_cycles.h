// The cycles of a run: evaluates the rules on the present screen, and waits until they must be evaluated again. That is
// when a region has changed or the profile's interval is over; intervals in which the rules could decide nothing else
// are passed over. Only the task's thread calls. The constructor's references must outlive the object.
//
//   RETURN_IF_ERROR(cycles.wait_for_next(deadline));
//   cycles.begin();
//   ASSIGN_OR_RETURN(const Cycle cycle, cycles.evaluate(std::nullopt));
#pragma once

#include <cstddef>
#include <optional>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/planner/rules/engine/engine.h"
#include "services/planner/rules/run/cycle_pace.h"
#include "services/planner/rules/run/loaded_profile.h"
#include "services/planner/rules/run/run_progress.h"
#include "services/planner/rules/run/screen_watch.h"
#include "services/planner/task/task_view.h"

namespace da::planner::rules {

class RuleCycles {
 public:
  // Counts the cycles in `progress`.
  RuleCycles(const LoadedProfile& loaded, TaskView& view, ModelCalls& models, RunProgress& progress);

  // Blocks until the rules must be evaluated again, or until `deadline`; returns at once before the first cycle.
  // kFailedPrecondition: the task's time is over. kCancelled: the task was stopped.
  Result<void> wait_for_next(std::optional<MonoTime> deadline);
  void begin();
  // Looks at the screen until all questions of the rules are answered. `resume_at`: evaluates only this rule and those
  // after it, again in the same cycle. kResourceExhausted: the budget for models is used up, or there were too many
  // questions.
  Result<Cycle> evaluate(std::optional<std::size_t> resume_at);

  void mark_acted(std::size_t rule);
  // So that early cycles make no rule act, or fail, more often than the interval does.
  void let_rest(std::size_t rule) { state_[rule].rests_until = pace_.rested(); }

  // When the last evaluation began, and whether it included the rule.
  MonoTime evaluated_at() const { return evaluated_at_; }
  bool was_evaluated(std::size_t rule) const { return state_[rule].rests_until <= evaluated_at_; }
  const RunState& state() const { return state_; }
  ScreenWatch& watch() { return watch_; }

 private:
  Result<bool> wait_until(MonoTime until);
  MonoTime next_evaluation() const;

  const LoadedProfile& loaded_;
  TaskView& view_;
  RunProgress& progress_;
  const Engine engine_;
  ScreenWatch watch_;
  RunState state_;
  CyclePace pace_;
  MonoTime evaluated_at_{};
  MonoTime elements_again_{};  // When to read the elements again after a change of the screen.
  bool is_settled_ = false;    // The last evaluation would give the same again while screen and rests do not change.
};

}  // namespace da::planner::rules
