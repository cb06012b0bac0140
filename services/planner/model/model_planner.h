// Proposes what a model answers. Each turn the model is shown the screen and told what became of its last steps; what
// it replies is read in its dialect, told back where it is malformed, and mapped to desktop pixels. Described targets
// are looked for when their turn comes. A proposal is never more than what the model wrote, and the policy
// judges each step of it. One thread, the task's. What it is given must outlive it.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "lib/contract/parse.h"
#include "services/planner/model/dialects/dialect.h"
#include "services/planner/model/dialogue.h"
#include "services/planner/model/element_names.h"
#include "services/planner/model/model_caller.h"
#include "services/planner/model/prompt.h"
#include "services/planner/model/refinement.h"
#include "services/planner/proposer.h"
#include "services/planner/sight.h"

namespace da::planner::model {

struct ModelPlannerOptions {
  std::uint32_t max_turns = 12;
  Sees sees = Sees::kImages;
  std::uint32_t max_output_tokens = 8192;          // Halved for each reply that has to be repaired.
  std::vector<v1::Decision::Region> regions = {};  // Shown instead of the whole desktop.
  bool ends_with_turns = false;  // To have used up its turns is no failure: so many steps were wanted.
};

// Of a task of single suggestions; what it does not say stays as it is.
ModelPlannerOptions decision_options(ModelPlannerOptions options, const v1::Decision& decision);

// How often a malformed reply is told back before the task fails.
inline constexpr int kMaxRepairs = 2;
// Steps in a row that may fail before the task does.
inline constexpr std::uint32_t kMaxFailures = 3;

class ModelPlanner final : public Proposer {
 public:
  ModelPlanner(std::string goal, const Dialect& dialect, ModelCaller& caller, Sight& sight,
               ModelPlannerOptions options);

  // Errors that fail the task: the model refused, was blocked, cut off or malformed too often; turns or budget are used
  // up; the provider cannot be reached.
  Result<v1::Plan> decide(const v1::Observation& latest, Attempt attempt) override;
  void hear(const v1::Step& step, const Event& event) override;
  void see(const v1::ImageFact& image) override;
  void resumed() override;
  Result<void> verify(const v1::Step&, EventKind) override { return ok(); }

 private:
  void queue(const v1::Plan& plan);
  Result<std::optional<v1::Plan>> next_pending(const v1::Observation& latest);
  Result<contract::ParsedPlan> ask(const v1::Observation& latest);
  Result<Message> describe_turn(const v1::Observation& latest);
  Result<void> show(const v1::Observation& latest, Message& message);
  std::vector<ToolResult> results_of_calls() const;
  Result<contract::ParsedPlan> read(const Reply& reply, const v1::Observation& latest);
  void name_targets(v1::Plan& plan, const v1::Observation& latest);
  Result<v1::Action> resolve(const v1::Action& action, const v1::Observation& latest) const;
  v1::CoordinateContract shown_image() const;
  void forget_images();

  const std::string goal_;
  const Dialect& dialect_;
  ModelCaller& caller_;
  Sight& sight_;
  const ModelPlannerOptions options_;
  Refinement refinement_;
  Request request_;  // The dialogue until now.
  ElementNames names_;
  v1::CoordinateContract coordinates_;  // Of the last observation that was decided on.
  std::deque<v1::Step> pending_;        // Wait for their turn, in desktop pixels; described targets are not found yet.
  std::vector<Happened> happened_;      // Since the last question.
  std::string last_for_people_;         // The last of them, in desktop pixels.
  int steps_left_ = 0;                  // Of the last reply, that were not carried out.
  std::vector<std::string> remarks_;
  std::vector<Image> closer_looks_;  // Likewise.
  std::uint32_t turn_ = 0;
};

}  // namespace da::planner::model
