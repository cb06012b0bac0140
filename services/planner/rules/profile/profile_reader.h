// Reads and checks a profile: everything that refers to a name is checked here, before the first cycle. The text is
// hostile: at most 16 MiB, 64 levels, 10,000 regions, 10,000 templates, 50,000 rules, 16 levels of conditions. Pure;
// any thread.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "services/planner/rules/profile/object_reader.h"
#include "services/planner/rules/profile/profile.h"

namespace da::planner::rules {

struct ReadOptions {
  UnknownKeys unknown_keys = UnknownKeys::kWarn;
  // Values that come from outside of the profile, and that every rule may use.
  std::set<std::string, std::less<>> variables{};
  CheckFile check_file{};  // Checks the files of templates; may be empty.
};

struct ReadProfile {
  std::optional<Profile> profile;  // Unset if there is an error.
  std::vector<Problem> problems;   // Sorted by place in the text; at most 100.
  Document document;               // The text's JSON, with all that the profile does not know; null if it is malformed.
};

ReadProfile read_profile(std::string_view text, const ReadOptions& options = {});

// "profile.json:3:5: error: ..." for people; foreign text in it is escaped.
std::string problem_text(const std::string& file, const Problem& problem);

}  // namespace da::planner::rules
