#include "services/planner/rules/run/profile_task.h"

#include <utility>

#include "lib/contract/profile_goal.h"
#include "services/planner/rules/run/loaded_profile.h"
#include "services/planner/rules/run/profile_models.h"
#include "services/planner/rules/run/rule_proposer.h"

namespace da::planner::rules {
namespace {

constexpr std::chrono::hours kTimeLimitOfProfiles{4};  // The policy has the same default for a run.

class ProfileTask final : public PreparedTask {
 public:
  ProfileTask(const model::Settings& settings, LoadedProfile profile, ProfileModels models)
      : settings_(settings), profile_(std::move(profile)), models_(std::move(models)) {}

  std::string planner() const override { return kProfile; }
  std::vector<std::string> warnings() const override { return profile_.warnings; }
  std::chrono::seconds time_limit() const override { return kTimeLimitOfProfiles; }

  v1::TaskResult run(const TaskRun& task) override {
    const std::string& task_id = task.request.task_id();
    ModelCalls calls(models_, settings_, task.view.time_limit(), task.clock, task.cancel,
                     model::publish_calls(task.bus, task_id, task.view));
    RuleProposer proposer(
        profile_,
        {.task_id = task_id, .once = profile_.once, .run_for = profile_.run_for, .dry_run = task.request.dry_run()},
        task.view, calls, task.bus);
    v1::TaskResult result = task.carry_out(proposer, kOnlyTimeLimits);
    if (!calls.empty()) result.set_summary(result.summary() + " (models: " + calls.budget().spent() + ")");
    return result;
  }
  // Templates are named by digests: the profile's folder has the pictures.
  void shorten(v1::StartTaskRequest& recorded) const override {
    for (auto& file : *recorded.mutable_profile()->mutable_templates()) {
      file.set_digest(template_digest(file.content()));
      file.clear_content();
    }
  }

 private:
  const model::Settings& settings_;
  const LoadedProfile profile_;
  ProfileModels models_;
};

}  // namespace

Result<std::unique_ptr<PreparedTask>> prepare_profile_task(const Preparation& preparation) {
  const v1::StartTaskRequest& request = preparation.request;
  if (request.goal() != contract::profile_goal(request.profile())) {
    return Error{Code::kInvalidArgument, "the policy opened this task for another profile"};
  }
  const v1::ProfileRun& run = request.profile();
  const model::OpenedModels& models = preparation.models;
  ASSIGN_OR_RETURN(auto profile, load(run));
  ASSIGN_OR_RETURN(auto of_rules, ProfileModels::open(models.settings(), models.environment(), profile.profile,
                                                      profile.variables, {run.provider(), run.model()}));
  return std::unique_ptr<PreparedTask>(
      std::make_unique<ProfileTask>(models.settings(), std::move(profile), std::move(of_rules)));
}

}  // namespace da::planner::rules
