// Files that decide what this program may do, or prove what it did: the rule file, `.env`, and what lies in folders of
// DesktopAssist (settings, state, runs). A step that reaches one is critical, whatever the rules say. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "da/v1/verdict.pb.h"
#include "services/policy/judgement/subject.h"

namespace da::policy {

// The name of such a file or folder in the step's window title, command, path or text, as its element's whole name, or
// among the files that the programs of its windows have at hand; nullopt: none names one. `evidence` may be null.
// `rule_file`: the path of the policy's rule file; may be empty.
std::optional<std::string> guarded_file_of(const Subject& subject, const v1::Evidence* evidence,
                                           std::string_view rule_file);

}  // namespace da::policy
