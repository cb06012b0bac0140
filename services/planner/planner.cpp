#include "services/planner/planner.h"

#include <algorithm>
#include <array>

#include "services/planner/commands/command_task.h"
#include "services/planner/model/model_task.h"
#include "services/planner/plain/plain_task.h"
#include "services/planner/rules/run/profile_task.h"

namespace da::planner {
namespace {

constexpr std::array<ProposerRow, 4> kProposers = {{
    {model::kPlain, plain::prepare_plain_task},
    {kCommands, prepare_command_task},
    {rules::kProfile, rules::prepare_profile_task},
    {"", model::prepare_model_task},
}};

Result<std::unique_ptr<PreparedTask>> prepare(const Preparation& preparation) {
  const v1::StartTaskRequest& request = preparation.request;
  const std::string name = request.planner().empty() ? model::kPlain : request.planner();
  const auto row =
      std::ranges::find_if(kProposers, [&](const ProposerRow& each) { return each.name.empty() || each.name == name; });
  if (!row->name.empty() && request.has_decision()) {
    return Error{Code::kInvalidArgument, "only a model can make suggestions; name one (--planner)"};
  }
  return row->prepare(preparation);
}

}  // namespace

std::span<const ProposerRow> proposers() { return kProposers; }

Planner::Planner(const Services& services)
    : models_(services.models, services.environment),
      tasks_({services.observer, services.policy, services.bus, services.clock, services.models.step_pause,
              services.question_expiry},
             [this, &clock = services.clock](const v1::StartTaskRequest& request, TaskCancel& cancel) {
               return prepare({request, clock, cancel, models_});
             }) {}

}  // namespace da::planner
