// toml++ for files that may be malformed; never include <toml++/toml.h>. On some malformed input (a comment inside
// "[[") toml++ 3.3 fails an assertion, and with NDEBUG has undefined behaviour. Here toml::parse() throws
// std::logic_error then, else toml::parse_error. Slow to compile: include it in .cpp files only.
#pragma once

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

#include "lib/base/result.h"

namespace da {

constexpr void require_toml(bool holds) {
  if (!holds) throw std::logic_error("not valid TOML");
}

}  // namespace da

#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) ::da::require_toml(static_cast<bool>(expr))
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace da {

// "line 3, column 1: MESSAGE"
Error toml_error(const toml::node& at, const std::string& message);

// Fails at the first key of the table that is not in `known`.
Result<void> check_toml_keys(const toml::table& table, std::initializer_list<std::string_view> known);

}  // namespace da
