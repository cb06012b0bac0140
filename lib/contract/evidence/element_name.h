// The length limit of an element's name. Names come from other programs and have any length. The actuator keeps and
// sends only the beginning; the policy treats a name of this length as possibly cut. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace da::contract {

inline constexpr std::size_t kMaxNameCharacters = 2000;

// The first kMaxNameCharacters characters of UTF-8 text.
std::string cut_name(std::string_view name);
// Whether the name is long enough to have been cut.
bool may_be_cut(std::string_view name);

}  // namespace da::contract
