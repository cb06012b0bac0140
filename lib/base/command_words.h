// Splits a command line into words at white space. "..." and '...' quote; \ escapes the next character, except in
// '...'. This is no shell: no variables, globs, pipes or substitutions. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lib/base/result.h"

namespace da {

// kInvalidArgument: an unclosed quote, or no word at all.
Result<std::vector<std::string>> split_words(std::string_view command);

}  // namespace da
