// Words of people and models for kinds of elements: their own words, and every role that a tree can have. The observer
// decides which roles they match. Pure; any thread.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "lib/contract/evidence/roles.h"

namespace da::contract {

// Words beside the roles of kRoles.
inline constexpr auto kCommonKinds = std::to_array<std::string_view>(
    {"button", "combobox", "drop-down", "dropdown", "checkbox", "text field", "input field", "text box", "text area",
     "password field", "field", "item", "tab", "switch", "spinner"});

// Lower case. Longer words come first, so that no word hides one that it begins.
inline constexpr auto kRoleWords = [] {
  std::array<std::string_view, kCommonKinds.size() + kRoles.size()> words{};
  auto end = std::copy(kCommonKinds.begin(), kCommonKinds.end(), words.begin());
  std::copy(kRoles.begin(), kRoles.end(), end);
  std::sort(words.begin(), words.end(),
            [](std::string_view a, std::string_view b) { return a.size() != b.size() ? a.size() > b.size() : a < b; });
  return words;
}();

}  // namespace da::contract
