#include "services/planner/plain/language/goal_lexer.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <utility>

#include "lib/base/text.h"

namespace da::planner::plain {
namespace {

constexpr std::size_t kMaxBraces = 16;

struct QuotePair {
  char32_t open;
  std::u32string_view close;
};

constexpr std::array<QuotePair, 5> kQuotes = {
    {{U'"', U"\""}, {U'\'', U"'"}, {U'\u201c', U"\u201d"}, {U'\u201e', U"\u201c\u201d"}, {U'\u2018', U"\u2019"}}};

const QuotePair* quote_opened_by(char32_t c) {
  for (const QuotePair& pair : kQuotes) {
    if (pair.open == c) return &pair;
  }
  return nullptr;
}

bool is_space(char32_t c) { return c == U' ' || c == U'\t' || c == U'\r' || c == U'\u00a0' || c == U'\u3000'; }

// An apostrophe inside a word is part of it.
bool ends_word(char32_t c) {
  return is_space(c) || c == U'\n' || c == U';' || c == U',' || (c != U'\'' && quote_opened_by(c) != nullptr);
}

std::string utf8(std::u32string_view text) {
  std::string out;
  for (const char32_t c : text) append_utf8(out, c);
  return out;
}

constexpr std::array<std::string_view, 4> kHeads = {"if", "repeat", "while", "optional"};

bool is_head(std::string_view word) { return std::ranges::find(kHeads, fold_case(word)) != kHeads.end(); }

class Lexer {
 public:
  explicit Lexer(std::u32string text) : text_(std::move(text)) {}

  Result<std::vector<RawSentence>> run() {
    while (offset_ < text_.size()) {
      RETURN_IF_ERROR(step(text_[offset_]));
    }
    RETURN_IF_ERROR(end_sentence());
    RETURN_IF_ERROR(expect_block());
    if (!open_.empty()) return goal_error(open_.back(), "the \"{\" that opens here is never closed with \"}\"");
    return std::move(sentences_);
  }

 private:
  using Kind = RawSentence::Kind;

  Result<void> step(char32_t c) {
    if (is_space(c)) {
      spaced_ = true;
      advance();
      return ok();
    }
    if (c == U'\n' || c == U';') {
      RETURN_IF_ERROR(end_sentence());
      RETURN_IF_ERROR(expect_block());
      advance();
      return ok();
    }
    if (c == U'#' && (spaced_ || current_.tokens.empty())) {
      while (offset_ < text_.size() && text_[offset_] != U'\n') advance();
      return ok();
    }
    if (c == U':' && !current_.tokens.empty() && in_header()) return end_header();
    if (c == U'{' && current_.tokens.empty() && awaits_block()) return open_block();
    if (c == U'}' && (!open_.empty() || current_.tokens.empty())) return close_block();
    return take_token(c);
  }

  bool in_header() const { return is_head(current_.tokens.front().text); }
  bool awaits_block() const { return !sentences_.empty() && sentences_.back().kind == Kind::kHeader; }

  Result<void> expect_block() const {
    if (!awaits_block()) return ok();
    return goal_error(sentences_.back().end,
                      "expected a sentence after the \":\" on the same line, or several between \"{\" and \"}\"");
  }

  Result<void> end_header() {
    current_.kind = Kind::kHeader;
    advance();
    return end_sentence();
  }

  Result<void> open_block() {
    if (open_.size() == kMaxBraces) {
      return goal_error(at_, "braces are nested more than " + std::to_string(kMaxBraces) + " deep");
    }
    open_.push_back(at_);
    return add_mark(Kind::kOpen);
  }

  Result<void> close_block() {
    if (open_.empty()) return goal_error(at_, "this \"}\" has no matching \"{\"");
    RETURN_IF_ERROR(end_sentence());
    RETURN_IF_ERROR(expect_block());
    if (sentences_.back().kind == Kind::kOpen) return goal_error(open_.back(), "there is no sentence in these braces");
    open_.pop_back();
    return add_mark(Kind::kClose);
  }

  Result<void> add_mark(Kind kind) {
    const std::size_t begin = offset_;
    const Position at = at_;
    advance();
    add(Token::Kind::kWord, kind == Kind::kOpen ? "{" : "}", begin, at);
    current_.kind = kind;
    return end_sentence();
  }

  bool ends_here(char32_t c, std::size_t begin) const {
    if (ends_word(c)) return true;
    if (c == U'}') return !open_.empty();
    if (c != U':') return false;
    return current_.tokens.empty() ? is_head(utf8(std::u32string_view(text_).substr(begin, offset_ - begin)))
                                   : in_header();
  }

  Result<void> take_token(char32_t c) {
    if (const QuotePair* quote = quote_opened_by(c)) return take_quoted(*quote);
    const std::size_t begin = offset_;
    const Position at = at_;
    if (c == U',') {
      advance();
      add(Token::Kind::kComma, ",", begin, at);
      return ok();
    }
    while (offset_ < text_.size() && !ends_here(text_[offset_], begin)) advance();
    std::string word = utf8(std::u32string_view(text_).substr(begin, offset_ - begin));
    if (fold_case(word) == "then") return end_before_then();
    add(Token::Kind::kWord, std::move(word), begin, at);
    return ok();
  }

  Result<void> end_before_then() {
    if (current_.tokens.empty()) return ok();
    const Token& last = current_.tokens.back();
    if (last.kind == Token::Kind::kWord && fold_case(last.text) == "and") {
      return goal_error(last.at, "found \"and then\"; write \"then\" or \";\" between two sentences, without \"and\"");
    }
    // Ignore the comma in "open mousepad, then ...".
    if (last.kind == Token::Kind::kComma) current_.tokens.pop_back();
    return end_sentence();
  }

  Result<void> take_quoted(const QuotePair& quote) {
    const std::size_t begin = offset_;
    const Position at = at_;
    std::string content;
    advance();
    while (offset_ < text_.size() && quote.close.find(text_[offset_]) == std::u32string_view::npos) {
      RETURN_IF_ERROR(take_quoted_character(content));
    }
    if (offset_ == text_.size()) {
      return goal_error(at, "the quote that opens here, " + utf8({&quote.open, 1}) + ", is never closed with " +
                                utf8(quote.close.substr(0, 1)));
    }
    advance();
    add(Token::Kind::kQuoted, std::move(content), begin, at);
    return ok();
  }

  Result<void> take_quoted_character(std::string& content) {
    const Position at = at_;
    const char32_t c = text_[offset_];
    advance();
    if (c == U'\\') return take_escape(content, at);
    if (c == U'\r' && offset_ < text_.size() && text_[offset_] == U'\n') return ok();
    if ((c < 0x20 && c != U'\n' && c != U'\t') || c == 0x7f) {
      char name[16];
      std::snprintf(name, sizeof name, "U+%04X", static_cast<unsigned>(c));
      return goal_error(at, "the control character " + std::string(name) + " cannot be part of a text");
    }
    append_utf8(content, c);
    return ok();
  }

  Result<void> take_escape(std::string& content, Position at) {
    constexpr std::u32string_view kSelf = U"\"'\\\u201c\u201d\u201e\u2018\u2019";
    if (offset_ == text_.size()) return goal_error(at, "the goal ends in the middle of an escape");
    const char32_t c = text_[offset_];
    advance();
    if (c == U'n') {
      content += '\n';
    } else if (c == U't') {
      content += '\t';
    } else if (kSelf.find(c) != std::u32string_view::npos) {
      append_utf8(content, c);
    } else {
      return goal_error(at,
                        "\"\\" + escape_foreign(utf8({&c, 1})) + "\" is not an escape; use \\\" \\' \\\\ \\n or \\t");
    }
    return ok();
  }

  void add(Token::Kind kind, std::string text, std::size_t begin, Position at) {
    current_.tokens.push_back({kind, std::move(text), utf8(std::u32string_view(text_).substr(begin, offset_ - begin)),
                               at, std::exchange(spaced_, false)});
    current_.end = at_;
  }

  Result<void> end_sentence() {
    spaced_ = false;
    if (current_.tokens.empty()) return ok();
    const bool counts = current_.kind == Kind::kSentence || current_.kind == Kind::kHeader;
    if (counts && ++count_ > kMaxSentences) {
      return goal_error(current_.tokens.front().at,
                        "a goal has at most " + std::to_string(kMaxSentences) + " sentences; split it");
    }
    sentences_.push_back(std::exchange(current_, {}));
    return ok();
  }

  void advance() {
    if (text_[offset_++] == U'\n') {
      ++at_.line;
      at_.column = 1;
    } else {
      ++at_.column;
    }
  }

  std::u32string text_;
  std::size_t offset_ = 0;
  Position at_;
  bool spaced_ = false;
  RawSentence current_;
  std::vector<RawSentence> sentences_;
  std::vector<Position> open_;  // Positions of the open "{".
  std::size_t count_ = 0;
};

Error not_utf8(std::string_view goal) {
  Position at;
  // Find the first bad byte: the end of the longest valid prefix.
  std::size_t begin = 0;
  while (begin < goal.size()) {
    std::size_t length = 1;
    while (length <= 4 && begin + length <= goal.size() && !is_valid_utf8(goal.substr(begin, length))) ++length;
    if (length > 4 || begin + length > goal.size()) break;
    if (goal[begin] == '\n') {
      ++at.line;
      at.column = 1;
    } else {
      ++at.column;
    }
    begin += length;
  }
  return goal_error(at, "the goal is not valid UTF-8 here");
}

}  // namespace

Error goal_error(Position at, std::string_view what) {
  return {Code::kInvalidArgument,
          "line " + std::to_string(at.line) + ", column " + std::to_string(at.column) + ": " + std::string(what)};
}

Result<std::vector<RawSentence>> split_goal(std::string_view goal) {
  if (goal.size() > kMaxGoalBytes) {
    return goal_error(
        {}, "the goal has " + std::to_string(goal.size()) + " bytes (at most " + std::to_string(kMaxGoalBytes) + ")");
  }
  auto scalars = decode_utf8(goal);
  if (!scalars) return not_utf8(goal);
  return Lexer(std::move(*scalars)).run();
}

}  // namespace da::planner::plain
