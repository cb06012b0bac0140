// The keys of a press_key action: "enter", or a chord such as "ctrl,shift,s". Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lib/base/result.h"

namespace da::planner::rules {

// Canonical names (lib/contract/keys.h), at least one. kInvalidArgument suggests a key.
Result<std::vector<std::string>> split_chord(std::string_view text);

}  // namespace da::planner::rules
