#include "lib/contract/element_query.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "lib/base/text.h"
#include "lib/contract/evidence/role_words.h"

namespace da::contract {
namespace {

constexpr std::array<std::string_view, 6> kOrdinals = {"first", "second", "third", "fourth", "fifth", "sixth"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// As in_quotes(), with the escapes of a sentence's texts.
std::string in_sentence_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n' || c == '\t') {
      out += c == '\n' ? "\\n" : "\\t";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

class QueryReader {
 public:
  explicit QueryReader(std::string_view text) : rest_(trim(text)) {}

  bool at_end() const { return rest_.empty(); }
  bool sees_quote() const { return rest_.starts_with('"'); }

  // Consumes the phrase if it comes next, as whole words.
  bool accept(std::string_view phrase) {
    if (!rest_.starts_with(phrase)) return false;
    const std::string_view behind = rest_.substr(phrase.size());
    if (!behind.empty() && behind.front() != ' ') return false;
    rest_ = trim(behind);
    return true;
  }

  std::string_view word() const { return rest_.substr(0, rest_.find(' ')); }

  std::optional<std::string> quoted_text() {
    if (!sees_quote()) return std::nullopt;
    std::string text;
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] == '"') {
        rest_ = trim(rest_.substr(i + 1));
        return text;
      }
      if (rest_[i] == '\\' && i + 1 < rest_.size()) ++i;
      text += rest_[i];
    }
    return std::nullopt;
  }

 private:
  std::string_view rest_;
};

std::optional<std::string> accept_role(QueryReader& in) {
  for (const std::string_view role : kRoleWords) {
    if (in.accept(role)) return std::string(role);
  }
  return std::nullopt;
}

Relation accept_relation(QueryReader& in) {
  for (const auto& [relation, words] : kRelationWords) {
    if (in.accept(words)) return relation;
  }
  return Relation::kNone;
}

// A name that is not blank.
std::optional<std::string> name_in(QueryReader& in) {
  auto name = in.quoted_text();
  return name && !trim(*name).empty() ? name : std::nullopt;
}

// The name and role of the anchor after a relation. False if there is neither.
bool read_anchor(QueryReader& in, ElementQuery& query) {
  query.anchor_role = accept_role(in).value_or("");
  if (!in.sees_quote()) return !query.anchor_role.empty();
  const auto anchor = name_in(in);
  query.anchor = anchor.value_or("");
  return anchor.has_value();
}

std::optional<ElementQuery> parse_form(std::string_view description) {
  QueryReader in(description);
  ElementQuery query;
  const std::string_view first = in.word();
  if (const auto index = parse_ordinal(first)) {
    query.index = *index;
    in.accept(first);
  }
  query.role = accept_role(in).value_or("");
  if (in.sees_quote()) {
    const auto name = name_in(in);
    if (!name) return std::nullopt;
    query.name = *name;
    query.quoted = true;
  }
  query.relation = accept_relation(in);
  if (query.relation != Relation::kNone && !read_anchor(in, query)) return std::nullopt;
  if (query.name.empty() && query.role.empty() && query.relation == Relation::kNone) return std::nullopt;
  if (in.accept("in")) {
    const auto window = name_in(in);
    if (!window) return std::nullopt;
    query.window = *window;
  }
  if (!in.at_end()) return std::nullopt;
  // "text field" alone is left to the observer; "Second tab" may be the name of a tab.
  const bool numbered = query.index != 0 && is_digit(first.front());
  const bool placed = query.relation != Relation::kNone || !query.window.empty();
  if (query.name.empty() && !numbered && !placed) return std::nullopt;
  return query;
}

std::string ordinal_text(std::uint32_t index) {
  const std::uint32_t tens = index / 10 % 10;
  const std::uint32_t ones = tens == 1 ? 0 : index % 10;
  return std::to_string(index) + (ones == 1 ? "st" : ones == 2 ? "nd" : ones == 3 ? "rd" : "th");
}

using Quote = std::string (*)(std::string_view);

std::string written(const ElementQuery& query, Quote quote) {
  std::string text;
  const auto add = [&text](std::string_view part) { text += (text.empty() ? "" : " ") + std::string(part); };
  if (query.index != 0) add(ordinal_text(query.index));
  if (!query.role.empty()) add(query.role);
  if (!query.name.empty()) add(quote(query.name));
  if (query.relation != Relation::kNone) {
    add(relation_words(query.relation));
    if (!query.anchor_role.empty()) add(query.anchor_role);
    if (!query.anchor.empty()) add(quote(query.anchor));
  }
  if (!query.window.empty()) add("in " + quote(query.window));
  return text;
}

bool is_only_a_name(const ElementQuery& query) {
  return query.role.empty() && query.index == 0 && query.window.empty() && query.relation == Relation::kNone;
}

}  // namespace

std::optional<std::uint32_t> parse_ordinal(std::string_view word) {
  const std::string folded = fold_case(word);
  if (const auto named = std::ranges::find(kOrdinals, folded); named != kOrdinals.end()) {
    return static_cast<std::uint32_t>(named - kOrdinals.begin()) + 1;
  }
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(folded.data(), folded.data() + folded.size(), number);
  if (error != std::errc() || number == 0 || number > kMaxElementIndex) return std::nullopt;
  const std::string_view ending(end, static_cast<std::size_t>(folded.data() + folded.size() - end));
  const bool is_ending = ending == "st" || ending == "nd" || ending == "rd" || ending == "th";
  return is_ending ? std::optional(number) : std::nullopt;
}

ElementQuery parse_element_query(std::string_view description) {
  if (auto query = parse_form(description)) return *std::move(query);
  return {.name = std::string(description)};
}

bool may_describe_kind(std::string_view name) {
  constexpr auto kOtherWords = std::to_array<std::string_view>({"textbox", "input", "editor"});
  const std::string folded = fold_case(trim(name));
  const auto has = [&](std::string_view word) {
    if (folded == word) return true;
    const bool first = folded.starts_with(word) && folded[word.size()] == ' ';
    return first || (folded.ends_with(word) && folded[folded.size() - word.size() - 1] == ' ');
  };
  return folded.starts_with("the ") || std::ranges::any_of(kRoleWords, has) || std::ranges::any_of(kOtherWords, has);
}

std::string_view relation_words(Relation relation) {
  const auto* const found = std::ranges::find(kRelationWords, relation, &std::pair<Relation, std::string_view>::first);
  return found == kRelationWords.end() ? std::string_view() : found->second;
}

std::string to_text(const ElementQuery& query) {
  if (!is_only_a_name(query)) return written(query, in_quotes);
  const bool needs_quotes = parse_form(query.name) || (query.quoted && may_describe_kind(query.name));
  return needs_quotes ? in_quotes(query.name) : query.name;
}

std::string to_sentence(const ElementQuery& query) { return written(query, in_sentence_quotes); }

std::string describe_target(std::string_view description) {
  if (parse_form(description)) return escape_foreign(description);
  return quote_foreign(description);
}

}  // namespace da::contract
