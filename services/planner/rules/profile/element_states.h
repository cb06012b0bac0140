// States of elements as a profile writes them: "enabled", "not checked". Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "services/planner/rules/profile/profile.h"

namespace da::planner::rules {

// nullopt if the word is no state.
std::optional<ElementStateWish> read_state(std::string_view word);
std::string state_text(const ElementStateWish& state);

// "showing", "enabled", ...
std::vector<std::string> state_names();

}  // namespace da::planner::rules
