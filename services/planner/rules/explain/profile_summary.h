// Says what a profile reads, sends to models and does. A person reads it before running a profile of somebody else.
// Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "services/planner/rules/profile/profile.h"

namespace da::planner::rules {

// One line each, such as `clicks   the word "OK" in region "inbox" (rule "answer")`; first what is read, then what is
// sent, then what is done. Foreign text is quoted and escaped. Placeholders stay, because the screen or the command
// line fills them.
std::vector<std::string> profile_summary(const Profile& profile);

}  // namespace da::planner::rules
