// The models that a profile asks, opened before its first cycle, so that a missing key ends the run before anything is
// looked at. One thread at a time.
//
// Names in a profile: "openai/gpt-4.1" names the provider. The provider of "gpt-...", "claude-..." and "gemini-..." is
// known; any other name belongs to the configured provider.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "da/v1/observation.pb.h"
#include "lib/base/result.h"
#include "services/planner/model/settings/choice.h"
#include "services/planner/model/settings/settings.h"
#include "services/planner/rules/engine/needed_models.h"

namespace da::planner::rules {

// What the person who runs the profile says about its models (--planner, --model); see v1::ProfileRun.
struct ModelWish {
  std::string provider;
  std::string model;
};

// The provider and model of a name in a profile. kInvalidArgument: the provider is unknown, or the name does not tell
// it.
Result<model::Choice> choose_model(const model::Settings& settings, const std::string& name, const ModelWish& wish);

class ProfileModels {
 public:
  struct Opened {
    std::unique_ptr<model::Model> model;
    v1::ImageLimits limits;  // Limits of the images that it reads.
  };

  // No models: a profile that asks none.
  ProfileModels() = default;
  // Errors name the rule and the model. kInvalidArgument: as choose_model(), or no images can be sent to the model;
  // kFailedPrecondition: its key or its price is missing, or a file cannot be read.
  static Result<ProfileModels> open(const model::Settings& settings, const model::Environment& environment,
                                    const Profile& profile, const Variables& given, const ModelWish& wish);

  void add(const std::string& name, std::shared_ptr<Opened> model) { by_name_[name] = std::move(model); }

  // nullptr if the profile does not need a model of this name (model_named()).
  Opened* find(const std::string& name);
  bool empty() const { return by_name_.empty(); }

 private:
  std::map<std::string, std::shared_ptr<Opened>> by_name_;  // Several names may mean one model.
};

}  // namespace da::planner::rules
