// Whether what a person approved is still what would happen. Compared are window and process, path, file and argument
// list; the element, by what it is and by its states that decide what an action does (checked, enabled, editable,
// password, expanded; selected for keys and drags); and for a click or a drag the look (same_look.h), of content also
// the place. A caret may blink while a person reads: lib/contract/likeness.h decides what a small change is.
// Pure; any thread.
#pragma once

#include <optional>
#include <string>

#include "da/v1/tools.pb.h"
#include "da/v1/verdict.pb.h"

namespace da::policy {

// nullopt where they match; else what differs, in words without titles and names, foreign text
// escaped.
std::optional<std::string> difference(const v1::Action& action, const v1::Evidence& approved, const v1::Evidence& now);

}  // namespace da::policy
