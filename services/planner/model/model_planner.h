// Proposes a model's steps. Each turn shows the model the screen and the outcome of its last steps. Its dialect reads
// the reply; a malformed reply goes back for repair; places are mapped to desktop pixels. Described targets are located
// when their step is due. A proposal contains only steps that the model wrote, and the policy judges each of them.
// One thread, the task's. The constructor's references must outlive the object.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "da/v1/task.pb.h"
#include "lib/contract/json/parse.h"
#include "services/planner/model/dialects/dialect.h"
#include "services/planner/model/dialogue.h"
#include "services/planner/model/element_names.h"
#include "services/planner/model/model_caller.h"
#include "services/planner/model/prompt.h"
#include "services/planner/model/refinement.h"
#include "services/planner/proposer.h"
#include "services/planner/task/task_view.h"

namespace da::planner::model {

struct ModelPlannerOptions {
  std::uint32_t max_turns = 12;
  Sees sees = Sees::kImages;
  std::uint32_t max_output_tokens = 8192;          // Halved for each repair.
  std::vector<v1::Decision::Region> regions = {};  // Shown instead of the whole desktop.
  bool ends_with_turns = false;                    // The task succeeds after max_turns: they are the wanted steps.
};

// The options of a decision task; keeps the options that the decision does not set.
ModelPlannerOptions decision_options(ModelPlannerOptions options, const v1::Decision& decision);

// Repairs of a malformed reply before the task fails.
inline constexpr int kMaxRepairs = 2;
// Steps in a row that may fail; one more failure fails the task.
inline constexpr std::uint32_t kMaxFailures = 3;

class ModelPlanner final : public Proposer {
 public:
  ModelPlanner(std::string goal, const Dialect& dialect, ModelCaller& caller, TaskView& view,
               ModelPlannerOptions options);

  // Shows the model only these parts of the desktop from now on, instead of the whole.
  void show_only(std::vector<v1::Decision::Region> regions) { regions_ = std::move(regions); }
  // Searches described targets only in these parts from now on.
  void search_only_in(std::vector<v1::Decision::Region> regions) { refinement_.search_only_in(std::move(regions)); }

  // Is told why a reply could not be used, or why a described target was not found; the model is told, too, and asked
  // again.
  using OnProblem = std::function<void(v1::PartFailed::Stage stage, const std::string& problem)>;
  void report_problems(OnProblem report) { on_problem_ = std::move(report); }

  // These errors fail the task: the model refused, was blocked, cut off or malformed too often; turns or budget are
  // used up; the provider cannot be reached.
  Result<Proof> verify(const v1::Step& step, EventKind outcome) override;
  Result<v1::Plan> decide(const v1::Observation& latest, Attempt attempt) override;
  void hear(const v1::Step& step, const Event& event) override;
  void see(const Answer& answer) override;
  void resumed() override;

 private:
  struct Field {
    std::string name;
    std::string element_id;
    v1::Step write;
  };

  // frame_id: of the picture that the model saw.
  void queue(const v1::Plan& plan, const std::string& frame_id);
  Result<Proof> verify_launch(const v1::Step& step);
  Result<std::optional<v1::Plan>> next_pending(const v1::Observation& latest);
  Result<contract::ParsedPlan> ask(const v1::Observation& latest);
  Result<Message> describe_turn(const v1::Observation& latest);
  Result<void> show(const v1::Observation& latest, Message& message);
  std::vector<ToolResult> results_of_calls() const;
  Result<contract::ParsedPlan> read(const Reply& reply, const v1::Observation& latest);
  Result<v1::Action> resolve(const v1::Action& action, const v1::Observation& latest) const;
  v1::CoordinateContract shown_image() const;
  void forget_images();

  const std::string goal_;
  const Dialect& dialect_;
  ModelCaller& caller_;
  TaskView& view_;
  const ModelPlannerOptions options_;
  OnProblem on_problem_;
  std::vector<v1::Decision::Region> regions_;  // Shown instead of the whole desktop.
  Refinement refinement_;
  Request request_;  // The dialogue so far.
  ElementNames names_;
  v1::CoordinateContract coordinates_;  // The last observation's coordinates.
  v1::Observation before_plan_;         // The last observation before the current plan's first step.
  std::optional<Field> field_;          // The current plan clicks it and types into it.
  std::deque<v1::Step> pending_;        // Steps that are not due yet, in desktop pixels; described targets not located.
  std::vector<Happened> happened_;      // Outcomes since the last question.
  std::string last_for_people_;         // The last outcome, in desktop pixels.
  int steps_left_ = 0;                  // Steps of the last reply that were not carried out.
  std::vector<std::string> remarks_;    // Sent with the next question.
  std::vector<Image> closer_looks_;     // Zoomed images, sent with the next question.
  std::uint32_t turn_ = 0;
};

}  // namespace da::planner::model
