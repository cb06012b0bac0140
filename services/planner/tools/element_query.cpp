#include "services/planner/tools/element_query.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "lib/base/text.h"
#include "lib/contract/evidence/role_words.h"

namespace da::planner {
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

std::optional<ElementQuery> parse_form(std::string_view description) {
  QueryReader in(description);
  ElementQuery query;
  const std::string_view first = in.word();
  if (const auto index = parse_ordinal(first)) {
    query.index = *index;
    in.accept(first);
  }
  for (const std::string_view role : contract::kRoleWords) {
    if (!in.accept(role)) continue;
    query.role = role;
    break;
  }
  if (in.sees_quote()) {
    const auto name = in.quoted_text();
    if (!name || trim(*name).empty()) return std::nullopt;
    query.name = *name;
  } else if (query.role.empty()) {
    return std::nullopt;
  }
  if (in.accept("in")) {
    const auto window = in.quoted_text();
    if (!window || trim(*window).empty()) return std::nullopt;
    query.window = *window;
  }
  if (!in.at_end()) return std::nullopt;
  // "text field" alone is left to the observer; "Second tab" may be the name of a tab.
  const bool numbered = query.index != 0 && is_digit(first.front());
  if (query.name.empty() && !numbered && query.window.empty()) return std::nullopt;
  return query;
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
  return {.name = std::string(description), .role = {}, .index = 0, .window = {}};
}

std::string to_text(const ElementQuery& query) {
  if (query.role.empty() && query.index == 0 && query.window.empty()) {
    return parse_form(query.name) ? in_quotes(query.name) : query.name;
  }
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : " ") + part; };
  if (query.index != 0) {
    const std::uint32_t tens = query.index / 10 % 10;
    const std::uint32_t ones = tens == 1 ? 0 : query.index % 10;
    add(std::to_string(query.index) + (ones == 1 ? "st" : ones == 2 ? "nd" : ones == 3 ? "rd" : "th"));
  }
  if (!query.role.empty()) add(query.role);
  if (!query.name.empty()) add(in_quotes(query.name));
  if (!query.window.empty()) add("in " + in_quotes(query.window));
  return text;
}

std::string describe_target(std::string_view description) {
  if (parse_form(description)) return escape_foreign(description);
  return quote_foreign(description);
}

}  // namespace da::planner
