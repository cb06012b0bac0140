// Foreign text in a prompt. A terminal wraps long lines, so a text of the right length could imitate a line of the
// prompt ("  risk:     safe"). These functions break long lines themselves, and begin each continuation with a mark
// that no prompt line begins with.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace da::console {

inline constexpr std::string_view kForeignMark = "  | ";
// The width if the terminal does not report one.
inline constexpr std::size_t kUsualColumns = 80;

// Breaks one line of escaped text for this width. Every character outside ASCII counts as two columns. Pure; any
// thread.
std::string marked_lines(std::string_view line, std::size_t columns);

// The width of the terminal; the maximum of size_t if the descriptor is no terminal, because files do not wrap. Any
// thread.
std::size_t columns_of(int descriptor);

}  // namespace da::console
