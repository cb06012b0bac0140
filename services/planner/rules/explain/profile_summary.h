// Says what a profile reads, sends to models and does, for a person who is about to run one that somebody else wrote.
// Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "services/planner/rules/profile/profile.h"

namespace da::planner::rules {

// One line each, such as `sends    region "inbox" to the model "gemini-2.0-flash" (rule "classify")`. Foreign text is
// quoted and escaped. Placeholders stay, because the screen or the command line fills them.
std::vector<std::string> profile_summary(const Profile& profile);

}  // namespace da::planner::rules
