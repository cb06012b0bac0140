// Foreign text in a prompt, over several lines. A terminal goes on at its left edge where its width ends, so that a
// text of the right length could put there what looks like a line of the prompt ("  risk:     safe"). So long lines are
// broken before the terminal breaks them, and what goes on begins with a mark that no line of a prompt begins with.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace da::console {

inline constexpr std::string_view kForeignMark = "  | ";
// Where a terminal does not say how wide it is.
inline constexpr std::size_t kUsualColumns = 80;

// Escaped text, one line of it, broken for a terminal of this width. A character that may take two columns counts as
// two. Pure; any thread.
std::string marked_lines(std::string_view line, std::size_t columns);

// Of the terminal behind this descriptor; without end where none is there: a program or a file breaks no lines. Any
// thread.
std::size_t columns_of(int descriptor);

}  // namespace da::console
