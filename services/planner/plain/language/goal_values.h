// The values that `copy TARGET as NAME` has read, and {{NAME}} in later sentences. Pure; any thread.
//
// A value is foreign text. It is inserted into a parsed sentence, so that it can neither end a quoted text nor begin a
// sentence; in a target it is a part of a name and never a kind, a number or a window.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/result.h"
#include "services/planner/plain/language/goal.h"

namespace da::planner::plain {

using Values = std::map<std::string, std::string, std::less<>>;

// The sentence with each {{NAME}} of `values` in its quoted texts replaced. Commands of `open` are left as they are.
Sentence with_values(const Sentence& sentence, const Values& values);

// The names in {{...}} of the command's texts.
std::vector<std::string> names_used(const Command& command);

// kFailedPrecondition: a text that cannot be a value. It is empty, has several lines (each line break would press
// enter where it is typed), may be cut off, or has "{{", which could name a secret.
Result<std::string> value_of(std::string_view text);

}  // namespace da::planner::plain
