// Whether what a person approved is still what would happen. Compared are window and process, element, path, file and
// argument list; and for a click or a drag on content, which only shows by its pixels what it is, its place and its
// look. A caret may blink while a person reads: lib/contract/likeness.h decides what a small change is.
// Pure; any thread.
#pragma once

#include <optional>
#include <string>

#include "da/v1/tools.pb.h"
#include "da/v1/verdict.pb.h"

namespace da::policy {

// nullopt where they match; else what differs, in words for people, foreign text escaped.
std::optional<std::string> difference(const v1::Action& action, const v1::Evidence& approved, const v1::Evidence& now);

}  // namespace da::policy
