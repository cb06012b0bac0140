// Command lines as Windows programs read them. This is no shell: no variables, wildcards or pipes. Pure; any thread.
// Source: "Parsing C++ command-line arguments" of Microsoft's documentation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lib/base/result.h"

namespace da::actuator::win32 {

// Words are separated by white space; "..." quotes, and \" is a quotation mark. Other backslashes are themselves, so
// that paths need no escapes. kInvalidArgument: an unclosed quotation mark, or no word at all.
Result<std::vector<std::string>> split_words(std::string_view command);

// The command line from which a program reads exactly these words.
std::string join_words(const std::vector<std::string>& words);

}  // namespace da::actuator::win32
