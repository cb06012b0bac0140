// Chooses planners and opens their models. Keeps the model that choose() has opened for the next task with the same
// choice, so that a key that only one process may read is read once. Any thread. `settings` must outlive it.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "da/v1/planner_rpc.pb.h"
#include "lib/base/result.h"
#include "services/planner/model/model.h"
#include "services/planner/model/settings/choice.h"
#include "services/planner/model/settings/environment.h"
#include "services/planner/model/settings/settings.h"

namespace da::planner::model {

class OpenedModels {
 public:
  OpenedModels(const Settings& settings, Environment environment)
      : settings_(settings), environment_(std::move(environment)) {}

  // Errors of model::choose and model::open_model.
  Result<v1::ChoosePlannerReply> choose(const v1::ChoosePlannerRequest& request);
  Result<Choice> choose(const std::string& planner, const std::string& model) const;
  // Opens the model of a choice other than plain.
  Result<std::unique_ptr<Model>> open(const Choice& choice);

  const Settings& settings() const { return settings_; }
  const Environment& environment() const { return environment_; }

 private:
  const Settings& settings_;
  const Environment environment_;
  std::mutex mutex_;
  std::optional<std::pair<Choice, std::unique_ptr<Model>>> chosen_;
};

}  // namespace da::planner::model
