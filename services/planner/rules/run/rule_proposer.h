// Runs a profile: in each cycle it looks at the regions, evaluates the rules, and proposes the actions of those whose
// condition holds, one step at a time. The policy judges each step as it does any other. A step that fails ends only
// its rule, for this cycle; a rule that fails max_failures_in_a_row times in a row ends the run.
//
// After a step, the screen is another one: the rest of its rule's actions are planned again, and the rules after it are
// evaluated again. Likewise if a step was not begun because the screen had changed.
//
// An action gemini_perform_task is carried out by a RuleTask, which has a model propose steps until it is done. They go
// the same way as other steps. In a dry run no model is asked.
//
// Between cycles decide() blocks (RuleCycles). Publishes a RuleEvent for each rule that acts, fails or logs. Only the
// task's thread calls. The constructor's references must outlive the object.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "da/v1/task.pb.h"
#include "lib/bus/publisher.h"
#include "services/planner/proposer.h"
#include "services/planner/rules/engine/engine.h"
#include "services/planner/rules/run/evaluation_facts.h"
#include "services/planner/rules/run/loaded_profile.h"
#include "services/planner/rules/run/rule_cycles.h"
#include "services/planner/rules/run/run_progress.h"
#include "services/planner/rules/run/task/rule_task.h"
#include "services/planner/task/task_view.h"

namespace da::planner::rules {

struct RunOptions {
  std::string task_id;      // Task of the published facts.
  bool once = false;        // One cycle.
  Milliseconds run_for{0};  // Ends as done after this long; 0: never.
  bool dry_run = false;     // No step is reported back: each counts as carried out.
};

class RuleProposer final : public Proposer {
 public:
  RuleProposer(const LoadedProfile& loaded, RunOptions options, TaskView& view, ModelCalls& models,
               bus::Publisher& bus);

  // Between two actions of a rule the focused application gets time to react.
  View wanted_view() const override;
  // Blocks until a rule acts. kFailedPrecondition: a rule failed too often, or in the only cycle. kResourceExhausted:
  // the budget for models is used up.
  Result<v1::Plan> decide(const v1::Observation& latest, Attempt attempt) override;
  void hear(const v1::Step& step, const Event& event) override;
  std::optional<EventKind> denial() const override { return fatal_ || options_.once ? last_denial_ : std::nullopt; }
  void see(const planner::Answer& answer) override;
  void resumed() override { look_again(); }

 private:
  // A rule whose condition held, and how far its actions are.
  struct Acting {
    Decision decision;
    std::size_t action = 0;
    std::size_t part = 0;            // Index of the action's current part.
    bool has_acted = false;          // A step or a log line of the rule was carried out.
    bool has_touched = false;        // A step was.
    bool is_planned = true;          // The current action fits the present screen.
    bool has_asked = false;          // A model was asked, which takes its time.
    std::unique_ptr<RuleTask> task;  // The current action, if it is a model's.
  };

  Result<void> run_cycle();
  Result<std::optional<v1::Plan>> next_plan(const v1::Observation& latest, Attempt attempt);
  Result<std::optional<v1::Plan>> next_of_task(const TaskCall& call, const v1::Observation& latest, Attempt attempt);
  void hear_of_task(const v1::Step& step, const Event& event);
  Result<void> plan_again();
  void begin_rule(Decision decision);
  void end_rule();
  void decide_rules_after(std::size_t index, const Acting& ended);
  void part_is_done();
  void has_acted();
  void fail(std::size_t rule, const std::string& why);
  // The screen may have changed: forgets what was decided but not begun.
  void look_again();
  bool is_over() const;
  Result<v1::Plan> end_of_run() const;
  void log(const LogLine& line);
  void tell(v1::RuleEvent::Kind kind, std::size_t rule, const std::string& text, const std::string& level = {},
            std::uint32_t model_step = 0);
  const Rule& rule(std::size_t index) const { return loaded_.profile.rules[index]; }

  const LoadedProfile& loaded_;
  const RunOptions options_;
  TaskView& view_;
  bus::Publisher& bus_;
  ModelCalls& models_;
  RunProgress progress_;
  RuleCycles cycles_;
  std::optional<MonoTime> deadline_;  // End of options_.run_for.
  EvaluationFacts facts_;
  std::deque<Decision> decisions_;  // Decisions of this cycle that are not begun.
  std::optional<Acting> acting_;
  std::optional<std::size_t> resume_at_;  // Evaluate this rule and those after it again, in the same cycle.
  std::optional<EventKind> last_denial_;  // The last failure: its step was denied, or nobody approved it.
  std::optional<Error> fatal_;            // Ends the run.
};

}  // namespace da::planner::rules
