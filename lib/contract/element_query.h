// Describes an element by name, role, number, place and window: `2nd button "OK" in "Save As"`, `field right of
// "Name"`. Pure; any thread.
//
// Tools carry this written form as target description, so that people and rules see it. Names and window titles are in
// quotes, with \" and \\ as escapes; a name that looks like a written form is quoted, too. Any other text is a name.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace da::contract {

// The place of an element beside another one, the anchor.
enum class Relation { kNone, kRightOf, kLeftOf, kBelow, kAbove, kInRow, kInside };

// The words of each relation, as a written form and a sentence have them.
inline constexpr std::array<std::pair<Relation, std::string_view>, 6> kRelationWords = {{
    {Relation::kRightOf, "right of"},
    {Relation::kLeftOf, "left of"},
    {Relation::kBelow, "below"},
    {Relation::kAbove, "above"},
    {Relation::kInRow, "in row"},
    {Relation::kInside, "inside"},
}};

std::string_view relation_words(Relation relation);  // Empty for kNone.

struct ElementQuery {
  std::string name = {};    // Empty only if a role or a relation is given.
  std::string role = {};    // One of kRoleWords; empty: any role.
  std::uint32_t index = 0;  // Among the matches in reading order, from 1; 0: there must be only one.
  std::string window = {};  // Part of the window's title; empty: any window.
  Relation relation = Relation::kNone;
  std::string anchor = {};       // Name of the element that the relation refers to.
  std::string anchor_role = {};  // One of kRoleWords; empty: any role.
  bool quoted = false;  // The name was written in quotes: it is a name, even if it is a role's word ("Button").
  // Whether both ask for the same, however it was written.
  friend bool operator==(const ElementQuery& a, const ElementQuery& b) {
    const auto parts = [](const ElementQuery& q) {
      return std::tie(q.name, q.role, q.index, q.window, q.relation, q.anchor, q.anchor_role);
    };
    return parts(a) == parts(b);
  }
};

inline constexpr std::uint32_t kMaxElementIndex = 1000;

ElementQuery parse_element_query(std::string_view description);

// Whether words of people may mean an element of a kind by this: "the OK button", "Field". In quotes it is a name.
bool may_describe_kind(std::string_view name);

// The inverse of parse_element_query. A query of only a name becomes that name, quoted if needed.
std::string to_text(const ElementQuery& query);

// The target as a sentence of a goal writes it: as to_text(), with a lone name in quotes.
std::string to_sentence(const ElementQuery& query);

// Reads "1st", "22nd" or "third"; nullopt if the word is not an ordinal.
std::optional<std::uint32_t> parse_ordinal(std::string_view word);

// Returns the target for messages: the written form, or the name in quotes; foreign text escaped.
std::string describe_target(std::string_view description);

}  // namespace da::contract
