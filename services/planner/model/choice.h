// Which planner a task gets, and how its model is reached: from what the task names, what is configured, and the keys
// that are there. Values; any thread.
#pragma once

#include <memory>
#include <string>

#include "lib/base/result.h"
#include "services/planner/model/dialects/dialect.h"
#include "services/planner/model/environment.h"
#include "services/planner/model/model.h"
#include "services/planner/model/settings.h"
#include "services/planner/model/wire/wire_format.h"
#include "services/planner/sight.h"

namespace da::planner::model {

inline constexpr const char* kPlain = "plain";

// The planner of one task.
struct Choice {
  std::string planner;  // "plain", "openai", ...
  std::string model;    // Empty for plain.
  std::string why;      // For people: "OPENAI_API_KEY is set".
};

// What the task names goes before what is configured. kInvalidArgument: no such planner, or a model that must be named.
Result<Choice> choose(const Settings& settings, const Environment& environment, const std::string& planner,
                      const std::string& model);

// How the provider of a choice is reached.
struct Access {
  Target target;
  std::string key;       // Secret; empty where it wants none.
  std::string key_from;  // "ANTHROPIC_API_KEY", or the key's file.
};

// Of a choice that is neither plain nor recorded. kFailedPrecondition: its key is missing, its file cannot be read.
Result<Access> access_of(const Settings& settings, const Environment& environment, const Choice& choice);

// Opens the model of a choice that is not plain. kFailedPrecondition: its key is missing, its file cannot be read.
Result<std::unique_ptr<Model>> open_model(const Settings& settings, const Environment& environment,
                                          const Choice& choice);

// What the model is to name of what it sees.
enum class Names { kPlaces, kDescriptions };

// How images of the screen are to be for a provider's models.
ImageWants image_wants(const Settings& settings, const std::string& planner, Names names);

// How a provider's models are asked for plans.
std::unique_ptr<Dialect> dialect_of(const std::string& planner, const ImageWants& images);

}  // namespace da::planner::model
