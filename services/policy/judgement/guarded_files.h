// Files that decide what this program may do, or prove what it did: the rule file, `.env`, and what lies in folders of
// DesktopAssist (settings, state, runs). A step that reaches one is critical, whatever the rules say. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "services/policy/judgement/subject.h"

namespace da::policy {

// The name of such a file in the step's window title, command, path or text; nullopt: it names none.
// `rule_file`: the path of the policy's rule file; may be empty.
std::optional<std::string> guarded_file_of(const Subject& subject, std::string_view rule_file);

}  // namespace da::policy
