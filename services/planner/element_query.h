// Which element is meant, by name, kind, number and window: `2nd button "OK" in "Save As"`. Pure; any thread.
//
// The written form travels in the tools' target descriptions, so that people and rules see what is looked for. The name
// and the window's title stand in quotes, with \" and \\ inside them; a name that looks like a written form itself stands
// in quotes too. A description of any other form is a name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace da::planner {

struct ElementQuery {
  std::string name;         // Empty only where a role is given.
  std::string role;         // One of contract::kRoleWords; empty: any.
  std::uint32_t index = 0;  // Among those that fit, from 1, in the order in which a person reads; 0: the only one.
  std::string window;       // Part of its title; empty: any.
  friend bool operator==(const ElementQuery&, const ElementQuery&) = default;
};

inline constexpr std::uint32_t kMaxElementIndex = 1000;

ElementQuery parse_element_query(std::string_view description);

// The name alone where nothing else is given, and nothing else can be read from it. parse_element_query reads it back.
std::string to_text(const ElementQuery& query);

// "1st", "22nd" or "third" -> its number; nullopt where the word is no ordinal.
std::optional<std::uint32_t> parse_ordinal(std::string_view word);

// For messages: the written form, or the name in quotes; foreign text escaped.
std::string describe_target(std::string_view description);

}  // namespace da::planner
