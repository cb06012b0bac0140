// Cases that people write to test a profile: pictures, and the rules that act on each.
//
//   {"cases": [{"name": "the dialog is open", "image": "open.png", "expect": ["Close when done"]}]}
//
// The pictures lie beside the file of the cases. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lib/base/result.h"
#include "services/planner/rules/engine/engine.h"

namespace da::planner::rules {

struct ProfileCase {
  std::string name;
  std::string image;
  std::vector<std::string> expect;  // Names of rules, in the order of the profile.
};

// kInvalidArgument has line and column, and names an unknown rule.
Result<std::vector<ProfileCase>> read_cases(std::string_view text, const Profile& profile);

// Why the case fails; empty if the expected rules act, and no others.
std::string failure_of(const ProfileCase& expected, const Profile& profile, const Cycle& cycle);

}  // namespace da::planner::rules
