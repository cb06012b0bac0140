// Where the parts of a JSON text are, and how it is laid out. The text must be valid JSON. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "services/planner/rules/profile/object_reader.h"

namespace da::planner::rules {

// Bytes of the text: begin <= at < end.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct MemberSpan {
  std::string key;
  Span whole;  // The key, the value, and all between them.
  Span value;
};

// The value that begins at or behind `at`, after white space.
Span value_at(std::string_view text, std::size_t at);
// The items (members) of the list (object) at `span`.
std::vector<Span> items_of(std::string_view text, Span span);
std::vector<MemberSpan> members_of(std::string_view text, Span span);

// How a text writes its values.
struct Layout {
  std::string indent;           // Indentation of one level; empty: everything stands in one line.
  std::string line_end = "\n";  // Or "\r\n".
  bool only_ascii = false;      // Other characters are written as \u....
};
Layout layout_of(std::string_view text);

// The white space at the beginning of the line that `at` is in.
std::string indent_at(std::string_view text, std::size_t at);

// Prints `value` over several lines; later lines start with `base`.
std::string lines_of(const Document& value, const Layout& layout, const std::string& base);
// Prints `value` in one line, with spaces as `like` has them: {"a": 1} or {"a":1} or { "a": 1 }.
std::string line_of(const Document& value, const Layout& layout, std::string_view like);

}  // namespace da::planner::rules
