#include "services/planner/plain/sentence_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "lib/base/text.h"

namespace da::planner::plain {
namespace {

constexpr int kMaxCoordinate = 100'000;  // Pixels; wider than any virtual desktop.
constexpr std::size_t kShownCharacters = 60;

bool is_word(const Token* token, std::initializer_list<std::string_view> words) {
  if (token == nullptr || token->kind != Token::Kind::kWord) return false;
  const std::string folded = fold_case(token->text);
  return std::ranges::find(words, std::string_view(folded)) != words.end();
}

// The whole of the text as a number; nullopt where anything else stands there.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

Position SentenceReader::position() const { return at_end() ? sentence_.end : sentence_.tokens[next_].at; }

bool SentenceReader::sees(std::initializer_list<std::string_view> words) const { return is_word(peek(), words); }

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
  if (trim(name).empty()) return problem(at, "an empty name fits everything; say which one is meant");
  accept({"window", "button", "field", "link", "checkbox", "menu", "item", "tab", "icon", "dialog"});
  return name;
}

Result<double> SentenceReader::number() {
  const Position at = position();
  if (at_end() || peek()->kind != Token::Kind::kWord) return expected("a number");
  const auto value = parse_number<double>(peek()->text);
  if (!value || !std::isfinite(*value)) return expected("a number");
  if (*value < 0) return problem(at, "a negative number makes no sense here");
  ++next_;
  return *value;
}

Result<int> SentenceReader::coordinate() {
  const Position at = position();
  if (at_end() || peek()->kind != Token::Kind::kWord) return expected("a place such as 200,150");
  const auto value = parse_number<int>(peek()->text);
  if (!value) return expected("a place such as 200,150");
  if (std::abs(std::int64_t{*value}) > kMaxCoordinate) {
    return problem(at, "no desktop is wider than " + std::to_string(kMaxCoordinate) + " pixels");
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
  if (next_ + 1 != sentence_.tokens.size() || peek()->kind != Token::Kind::kQuoted) return std::nullopt;
  return sentence_.tokens[next_++].text;
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
      at_end() ? "the sentence ends here" : "found " + escape_foreign(peek()->source, kShownCharacters);
  return problem(position(), found + ", expected " + std::string(what));
}

Error SentenceReader::problem(Position at, std::string_view what) const {
  return goal_error(at, std::string(what) + ". Understood is: " + std::string(form_));
}

}  // namespace da::planner::plain
