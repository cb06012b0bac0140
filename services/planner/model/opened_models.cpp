#include "services/planner/model/opened_models.h"

namespace da::planner::model {

Result<Choice> OpenedModels::choose(const std::string& planner, const std::string& model) const {
  return model::choose(settings_, environment_, planner, model);
}

Result<v1::ChoosePlannerReply> OpenedModels::choose(const v1::ChoosePlannerRequest& request) {
  ASSIGN_OR_RETURN(const auto choice, choose(request.planner(), request.model()));
  if (choice.planner != kPlain) {
    ASSIGN_OR_RETURN(auto opened, open_model(settings_, environment_, choice));
    const std::lock_guard lock(mutex_);
    chosen_.emplace(choice, std::move(opened));
  }
  v1::ChoosePlannerReply reply;
  reply.set_planner(choice.planner);
  reply.set_model(choice.model);
  reply.set_why(choice.why);
  return reply;
}

Result<std::unique_ptr<Model>> OpenedModels::open(const Choice& choice) {
  {
    const std::lock_guard lock(mutex_);
    if (chosen_ && chosen_->first.planner == choice.planner && chosen_->first.model == choice.model) {
      auto taken = std::move(chosen_->second);
      chosen_.reset();
      return taken;
    }
  }
  return open_model(settings_, environment_, choice);
}

}  // namespace da::planner::model
