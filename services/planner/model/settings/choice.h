// Chooses a task's planner and opens its model, from the task, the configuration and the available keys. Values; any
// thread.
#pragma once

#include <memory>
#include <string>

#include "lib/base/result.h"
#include "services/planner/model/dialects/dialect.h"
#include "services/planner/model/model.h"
#include "services/planner/model/settings/environment.h"
#include "services/planner/model/settings/settings.h"
#include "services/planner/model/wire/wire_format.h"
#include "services/planner/task/task_view.h"

namespace da::planner::model {

inline constexpr const char* kPlain = "plain";

// The planner of one task.
struct Choice {
  std::string planner;  // "plain", "openai", ...
  std::string model;    // Empty for plain.
  std::string why;      // Shown to people: "OPENAI_API_KEY is set".
};

// The task's names override the configuration. kInvalidArgument: unknown planner, or no model is named.
Result<Choice> choose(const Settings& settings, const Environment& environment, const std::string& planner,
                      const std::string& model);

// Address and key of a provider.
struct Access {
  Target target;
  std::string key;       // Secret; empty if the provider needs none.
  std::string key_from;  // "ANTHROPIC_API_KEY", or the path of the key file.
};

// Requires a choice other than plain and recorded. kFailedPrecondition: the key is missing or its file cannot be read.
Result<Access> access_of(const Settings& settings, const Environment& environment, const Choice& choice);

// Opens the model of a choice other than plain. kFailedPrecondition: the key is missing or a file cannot be read.
Result<std::unique_ptr<Model>> open_model(const Settings& settings, const Environment& environment,
                                          const Choice& choice);

// How the model names its targets.
enum class Names { kPlaces, kDescriptions };

// The form of screen images for a provider's models.
ImageWants image_wants(const Settings& settings, const std::string& planner, Names names);

// The dialect of a provider's models.
std::unique_ptr<Dialect> dialect_of(const std::string& planner, const ImageWants& images);

}  // namespace da::planner::model
