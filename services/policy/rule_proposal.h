// "Always allow this", as a rule for people to review: it matches the same tool, program, window element and arguments,
// and nothing more. It is written to a file that the policy never reads; whoever agrees copies it into the rule file.
// Pure but for append_proposal(); any thread.
#pragma once

#include <filesystem>
#include <string>

#include "da/v1/verdict.pb.h"
#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::policy {

// One [[rule]] as TOML, with a comment that says who proposed it and when. A rule that asks outweighs an allow rule:
// the comment names the one that asked, which the reviewer has to except.
std::string proposed_rule(const v1::ApprovalRequest& approved, const std::string& approver, WallTime now);

// Appends to a file of mode 0600.
Result<void> append_proposal(const std::filesystem::path& file, const std::string& rule);

}  // namespace da::policy
