// The bound of an element's name. Names are foreign and of any length; the actuator keeps and sends the beginning
// alone, and the policy takes a name of this length for one whose end is not known. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace da::contract {

inline constexpr std::size_t kMaxNameCharacters = 2000;

// The first kMaxNameCharacters characters of UTF-8.
std::string cut_name(std::string_view name);
// Whether more may have followed.
bool may_be_cut(std::string_view name);

}  // namespace da::contract
