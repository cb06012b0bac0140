// The models that a profile asks, by their names in the profile. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "lib/base/result.h"
#include "services/planner/rules/profile/profile.h"

namespace da::planner::rules {

struct NeededModel {
  std::string name;                // "gemini-2.0-flash", "openai/gpt-4.1"
  std::vector<std::string> rules;  // That ask it, in the order of the file.
};

// The model that is meant by the name in a condition; empty: the profile's default.
const std::string& model_named(const Profile& profile, const std::string& name);

// Sorted by the first rule that asks them. kInvalidArgument: the name of a model has a placeholder that is not a
// given variable, so that the screen would choose who is asked.
Result<std::vector<NeededModel>> needed_models(const Profile& profile, const Variables& given);

}  // namespace da::planner::rules
