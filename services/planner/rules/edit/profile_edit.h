// Adds a region or a template to the text of a profile, and leaves all other characters as they are: people write these
// files by hand. The new entry looks like its neighbours: in one line or several, with their indentation, line ends
// and spaces. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "lib/base/result.h"
#include "services/planner/rules/profile/object_reader.h"

namespace da::planner::rules {

enum class SameName { kRefuse, kReplace };

// `list` is "regions" or "templates". `entry` has a name. With kReplace, an entry of that name keeps its other keys,
// and those that are null in `entry` are removed from it. Errors: kAlreadyExists, kInvalidArgument (the text is not a
// profile, or the entry would be a mistake in it).
Result<std::string> with_entry(std::string_view text, const std::string& list, const Document& entry,
                               SameName same_name);

// The member `key` of the list's entry of this name, if it is a text; else empty. The text may be malformed.
std::string member_of_entry(std::string_view text, const std::string& list, const std::string& name,
                            const std::string& key);

}  // namespace da::planner::rules
