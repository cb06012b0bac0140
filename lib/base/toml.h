// toml++ for files that may be broken. Include this one, everywhere alike, never <toml++/toml.h>: on some malformed
// input (a comment inside "[[") version 3.3 fails an assertion of its own, which would end the process, or with NDEBUG
// would be undefined behaviour. Here it throws std::logic_error, so toml::parse() throws that or toml::parse_error.
// Slow to compile: include it in .cpp files alone.
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

// An error where the table has a key that is not known.
Result<void> check_toml_keys(const toml::table& table, std::initializer_list<std::string_view> known);

}  // namespace da
