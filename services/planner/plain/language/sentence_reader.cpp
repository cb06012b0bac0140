#include "services/planner/plain/language/sentence_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "lib/base/nearest.h"
#include "lib/base/text.h"
#include "lib/contract/evidence/role_words.h"

namespace da::planner::plain {
namespace {

constexpr int kMaxCoordinate = 100'000;  // Pixels; wider than any virtual desktop.
constexpr std::size_t kShownOfToken = 60;

bool is_one_of(const Token* token, std::initializer_list<std::string_view> words) {
  if (token == nullptr || token->kind != Token::Kind::kWord) return false;
  const std::string folded = fold_case(token->text);
  return std::ranges::find(words, std::string_view(folded)) != words.end();
}

// The whole text as a number; nullopt if it is not one.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

Position SentenceReader::position() const {
  return next_ == sentence_.tokens.size() ? sentence_.end : sentence_.tokens[next_].at;
}

bool SentenceReader::sees(std::initializer_list<std::string_view> words) const { return is_one_of(peek(), words); }

bool SentenceReader::sees_place() const {
  return !at_end() && peek()->kind == Token::Kind::kWord && parse_number<double>(peek()->text).has_value();
}

bool SentenceReader::accept(std::initializer_list<std::string_view> words) {
  if (!sees(words)) return false;
  ++next_;
  return true;
}

bool SentenceReader::accept_comma() {
  if (at_end() || peek()->kind != Token::Kind::kComma) return false;
  ++next_;
  return true;
}

Result<void> SentenceReader::expect(std::string_view word) {
  if (!accept({word})) return expected("\"" + std::string(word) + "\"");
  return ok();
}

Result<void> SentenceReader::expect_end() {
  if (!at_end()) return expected("the end of the sentence (a \";\", \"then\" or a new line)");
  return ok();
}

Result<std::string> SentenceReader::text() {
  if (at_end() || peek()->kind != Token::Kind::kQuoted) return expected("a text in quotes");
  return sentence_.tokens[next_++].text;
}

Result<std::string> SentenceReader::name() {
  accept({"the"});
  accept({"window", "button", "field"});
  const Position at = position();
  ASSIGN_OR_RETURN(std::string name, text());
  if (trim(name).empty()) return problem(at, "an empty name matches everything; write a name");
  accept({"window", "button", "field", "link", "checkbox", "menu", "item", "tab", "icon", "dialog"});
  return name;
}

bool SentenceReader::accept_phrase(std::string_view words) {
  std::size_t at = next_;
  while (true) {
    const auto space = words.find(' ');
    if (at == last_ || !is_one_of(&sentence_.tokens[at], {words.substr(0, space)})) return false;
    ++at;
    if (space == std::string_view::npos) break;
    words.remove_prefix(space + 1);
  }
  next_ = at;
  return true;
}

std::optional<std::string> SentenceReader::role() {
  for (const std::string_view role : contract::kRoleWords) {
    if (accept_phrase(role)) return std::string(role);
  }
  return std::nullopt;
}

Error SentenceReader::no_target(Position at) const {
  if (at_end() || peek()->kind != Token::Kind::kWord) return expected("a text in quotes");
  const std::vector<std::string> known(contract::kRoleWords.begin(), contract::kRoleWords.end());
  return problem(at, "found " + escape_foreign(peek()->source, kShownOfToken) + did_you_mean(peek()->text, known) +
                         ", expected a text in quotes");
}

// Ignores nouns that are no roles: people also call a button an icon.
bool SentenceReader::accept_filler() { return accept({"window", "icon", "dialog", "item"}); }

// "right of", "to the right of", "in row", ...
contract::Relation SentenceReader::relation() {
  const std::size_t begin = next_;
  if (accept({"to"})) accept({"the"});
  for (const auto& [relation, words] : contract::kRelationWords) {
    if (accept_phrase(words)) return relation;
  }
  next_ = begin;
  return contract::Relation::kNone;
}

Result<void> SentenceReader::read_anchor(ElementQuery& query) {
  accept({"the"});
  query.anchor_role = role().value_or("");
  if (!sees_quoted() && !query.anchor_role.empty()) return ok();
  const Position at = position();
  ASSIGN_OR_RETURN(query.anchor, text());
  if (trim(query.anchor).empty()) return problem(at, "an empty name matches everything; write a name");
  return ok();
}

Result<std::string> SentenceReader::target() {
  ElementQuery query;
  accept({"the"});
  const Position begin = position();
  if (!at_end() && peek()->kind == Token::Kind::kWord) {
    if (const auto index = parse_ordinal(peek()->text)) {
      query.index = *index;
      ++next_;
    }
  }
  const bool filled = !sees_quoted() && accept_filler();
  if (!filled) query.role = role().value_or("");
  const Position at = position();
  if (sees_quoted()) {
    ASSIGN_OR_RETURN(query.name, text());
    query.quoted = true;
    if (trim(query.name).empty()) return problem(at, "an empty name matches everything; write a name");
    const bool followed = accept_filler();
    if (!followed && query.role.empty()) query.role = role().value_or("");
  }
  query.relation = relation();
  if (query.relation != contract::Relation::kNone) {
    RETURN_IF_ERROR(read_anchor(query));
  } else if (query.name.empty() && query.role.empty()) {
    return no_target(at);
  }
  if (accept({"in"})) {
    ASSIGN_OR_RETURN(query.window, name());
  }
  const bool placed = query.relation != contract::Relation::kNone || !query.window.empty();
  if (query.name.empty() && query.index == 0 && !placed) {
    return problem(begin,
                   "a " + query.role + " needs its name in quotes, or which of them it is, such as 2nd " + query.role);
  }
  return to_text(query);
}

Result<double> SentenceReader::checked_seconds(const Token& number) const {
  const auto value = number.kind == Token::Kind::kWord ? parse_number<double>(number.text) : std::nullopt;
  if (!value || !std::isfinite(*value) || *value < 0) {
    return problem(number.at,
                   "found " + escape_foreign(number.source, kShownOfToken) + ", expected a number of seconds");
  }
  if (*value > kMaxWaitSeconds) return problem(number.at, "the longest wait is 600 seconds");
  return *value;
}

bool SentenceReader::ends_with_seconds() const {
  return last_ - next_ >= 2 && is_one_of(&sentence_.tokens[last_ - 1], {"seconds", "second", "secs", "sec", "s"});
}

Result<std::optional<double>> SentenceReader::take_within() {
  constexpr std::size_t kWords = 3;
  const bool given =
      last_ - next_ >= kWords && is_one_of(&sentence_.tokens[last_ - kWords], {"within"}) && ends_with_seconds();
  if (!given) return std::optional<double>();
  ASSIGN_OR_RETURN(const double value, checked_seconds(sentence_.tokens[last_ - 2]));
  last_ -= kWords;
  return std::optional(value);
}

Result<std::optional<double>> SentenceReader::take_seconds() {
  if (!ends_with_seconds()) return std::optional<double>();
  ASSIGN_OR_RETURN(const double value, checked_seconds(sentence_.tokens[last_ - 2]));
  last_ -= 2;
  if (last_ > next_ && is_one_of(&sentence_.tokens[last_ - 1], {"within", "for"})) --last_;
  return std::optional(value);
}

Result<std::optional<double>> SentenceReader::take_rounds() {
  constexpr std::size_t kWords = 4;
  const bool given = last_ - next_ >= kWords && is_one_of(&sentence_.tokens[last_ - 4], {"at"}) &&
                     is_one_of(&sentence_.tokens[last_ - 3], {"most"}) &&
                     is_one_of(&sentence_.tokens[last_ - 1], {"times", "time"});
  if (!given) return std::optional<double>();
  const Token& number = sentence_.tokens[last_ - 2];
  const auto value = number.kind == Token::Kind::kWord ? parse_number<double>(number.text) : std::nullopt;
  if (!value)
    return problem(number.at, "found " + escape_foreign(number.source, kShownOfToken) + ", expected a number");
  last_ -= kWords;
  return value;
}

Result<SentenceReader::Amount> SentenceReader::amount() {
  if (at_end() || peek()->kind == Token::Kind::kComma) return expected("a number");
  std::string_view word = peek()->text;
  const bool percent = word.ends_with('%');
  if (percent) word.remove_suffix(1);
  const auto value = parse_number<double>(word);
  if (!value || !std::isfinite(*value)) return expected("a number, such as 40 or 40%");
  ++next_;
  return Amount{*value, accept({"%", "percent"}) || percent};
}

Result<std::string> SentenceReader::variable_name() {
  const Position at = position();
  if (at_end() || peek()->kind != Token::Kind::kWord) return expected("a name of one word");
  const std::string name = sentence_.tokens[next_++].text;
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const bool valid = is_letter(name.front()) && std::ranges::all_of(name, [&](char c) {
                       return is_letter(c) || (c >= '0' && c <= '9') || c == '-';
                     });
  if (valid) return name;
  return problem(
      at, "found " + escape_foreign(name, kShownOfToken) + ", expected a name of ASCII letters, digits, _ and -");
}

Result<double> SentenceReader::number() {
  const Position at = position();
  if (at_end() || peek()->kind != Token::Kind::kWord) return expected("a number");
  const auto value = parse_number<double>(peek()->text);
  if (!value || !std::isfinite(*value)) return expected("a number");
  if (*value < 0) return problem(at, "the number must not be negative");
  ++next_;
  return *value;
}

Result<int> SentenceReader::coordinate() {
  const Position at = position();
  if (at_end() || peek()->kind != Token::Kind::kWord) return expected("a place such as 200,150");
  const auto value = parse_number<int>(peek()->text);
  if (!value) return expected("a place such as 200,150");
  if (std::abs(std::int64_t{*value}) > kMaxCoordinate) {
    return problem(at, "a coordinate must be at most " + std::to_string(kMaxCoordinate) + " pixels");
  }
  ++next_;
  return *value;
}

Result<Point> SentenceReader::point() {
  ASSIGN_OR_RETURN(const int x, coordinate());
  if (!accept_comma()) return expected("\",\" between X and Y");
  ASSIGN_OR_RETURN(const int y, coordinate());
  return Point{x, y};
}

std::optional<std::string> SentenceReader::lone_quoted() {
  if (next_ + 1 != last_ || peek()->kind != Token::Kind::kQuoted) return std::nullopt;
  return sentence_.tokens[next_++].text;
}

std::optional<std::string> SentenceReader::word() {
  if (at_end() || peek()->kind != Token::Kind::kWord) return std::nullopt;
  return sentence_.tokens[next_++].text;
}

std::optional<std::string> SentenceReader::lone_kind() {
  const std::size_t begin = next_;
  accept({"the"});
  auto kind = role();
  if (kind && at_end()) return kind;
  next_ = begin;
  return std::nullopt;
}

std::string SentenceReader::rest_as_written() {
  std::string rest;
  for (; !at_end(); ++next_) {
    if (!rest.empty() && peek()->spaced) rest += ' ';
    rest += peek()->source;
  }
  return rest;
}

Error SentenceReader::expected(std::string_view what) const {
  const std::string found =
      at_end() ? "the sentence ends here" : "found " + escape_foreign(peek()->source, kShownOfToken);
  return problem(position(), found + ", expected " + std::string(what));
}

Error SentenceReader::problem(Position at, std::string_view what) const {
  return goal_error(at, std::string(what) + ". Syntax: " + std::string(form_));
}

}  // namespace da::planner::plain
