// "Always allow this": proposes a rule that matches only the same tool, program, window element and arguments. The file
// of proposals is never read by the policy: a person reviews each rule and copies it into the rule file.
// Pure except append_proposal(); any thread.
#pragma once

#include <filesystem>
#include <string>

#include "da/v1/verdict.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::policy {

// One [[rule]] as TOML, with a comment that says who proposed it and when. The comment also names the rule that asked:
// it outweighs an allow rule, so the reviewer must add an exception to it.
std::string proposed_rule(const v1::ApprovalRequest& approved, const std::string& approver, WallTime now);

// Appends to a file of mode 0600.
Result<void> append_proposal(const std::filesystem::path& file, const std::string& rule);

}  // namespace da::policy
