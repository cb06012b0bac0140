// A command line as words: white space parts them, "..." and '...' hold them together, \ escapes the next character
// (inside '...' it is itself). Nothing of a shell: no variables, globs, pipes or substitutions. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lib/base/result.h"

namespace da::actuator::x11 {

// kInvalidArgument for a quote that is not closed, or no word at all.
Result<std::vector<std::string>> split_words(std::string_view command);

}  // namespace da::actuator::x11
