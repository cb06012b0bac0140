// Parses the text of a .env file. Pure; any thread.
//
//   # comment
//   NAME=value            # the value ends before " #" or at the end of the line; spaces around it are dropped
//   export NAME = value
//   NAME='as it stands'   # also over several lines
//   NAME="with \n \r \t \\ \" \$"   # also over several lines
//
// Nothing is substituted or executed: $HOME, ${HOME}, $(command) and `command` are plain text. Lines end with LF or
// CRLF; a byte order mark is skipped.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/result.h"

namespace da::console {

inline constexpr std::size_t kMaxDotenvBytes = 64 * 1024;

struct DotenvEntry {
  std::size_t line = 0;  // Counted from 1.
  std::string name;
  std::string value;
};

// Returns the entries in file order; a name may appear more than once. Errors are "FILE:LINE: MESSAGE", without the
// line if the whole file is too large or not UTF-8, and never contain a value. kInvalidArgument: not UTF-8, a control
// character, larger than kMaxDotenvBytes, a line without "=", a bad name, an unclosed quote, or text after a closing
// quote.
Result<std::vector<DotenvEntry>> parse_dotenv(std::string_view text, const std::string& file);

}  // namespace da::console
