// One cycle of a profile on a picture file, as if the desktop showed it. The observer's program analyses the picture.
#pragma once

#include <filesystem>

#include "services/planner/rules/engine/engine.h"
#include "services/planner/rules/run/loaded_profile.h"

namespace da::planner::rules {

// Returns a cycle with Reports::kAll. A picture has no elements and no windows, and no model is asked: conditions on
// them are reported as not on the screen. Blocks; at most two minutes for each question that depends on an answer.
Result<Cycle> evaluate_picture(const LoadedProfile& loaded, const std::filesystem::path& image);

}  // namespace da::planner::rules
