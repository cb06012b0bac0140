// Describes an element by name, role, number and window: `2nd button "OK" in "Save As"`. Pure; any thread.
//
// Tools carry this written form as target description, so that people and rules see it. Name and window title are in
// quotes, with \" and \\ as escapes; a name that looks like a written form is quoted, too. Any other text is a name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace da::planner {

struct ElementQuery {
  std::string name;         // Empty only if a role is given.
  std::string role;         // One of contract::kRoleWords; empty: any role.
  std::uint32_t index = 0;  // Among the matches in reading order, from 1; 0: there must be only one.
  std::string window;       // Part of the window's title; empty: any window.
  friend bool operator==(const ElementQuery&, const ElementQuery&) = default;
};

inline constexpr std::uint32_t kMaxElementIndex = 1000;

ElementQuery parse_element_query(std::string_view description);

// The inverse of parse_element_query. A query of only a name becomes that name, quoted if needed.
std::string to_text(const ElementQuery& query);

// Reads "1st", "22nd" or "third"; nullopt if the word is not an ordinal.
std::optional<std::uint32_t> parse_ordinal(std::string_view word);

// For messages: the written form, or the name in quotes; foreign text escaped.
std::string describe_target(std::string_view description);

}  // namespace da::planner
