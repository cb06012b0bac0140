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
  Span whole;  // From the key to the end of the value.
  Span value;
};

// The value that begins at or behind `at`, after white space.
Span value_at(std::string_view text, std::size_t at);
// Of the list, or object, that is `span`.
std::vector<Span> items_of(std::string_view text, Span span);
std::vector<MemberSpan> members_of(std::string_view text, Span span);

// How a text writes its values.
struct Layout {
  std::string indent;           // Of one level; empty: everything stands in one line.
  std::string line_end = "\n";  // Or "\r\n".
  bool only_ascii = false;      // Other characters are written as \u....
};
Layout layout_of(std::string_view text);

// The white space at the beginning of the line that `at` is in.
std::string indent_at(std::string_view text, std::size_t at);

// In several lines; all but the first begin with `base`.
std::string lines_of(const Document& value, const Layout& layout, const std::string& base);
// In one line, with spaces as `like` has them: {"a": 1} or {"a":1} or { "a": 1 }.
std::string line_of(const Document& value, const Layout& layout, std::string_view like);

}  // namespace da::planner::rules
