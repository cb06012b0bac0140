// Reads the tokens of one sentence and builds its error messages. Only the goal parser uses it. Pure; one thread.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "lib/base/geometry.h"
#include "lib/base/result.h"
#include "services/planner/plain/language/goal_lexer.h"
#include "services/planner/tools/element_query.h"

namespace da::planner::plain {

inline constexpr double kMaxWaitSeconds = 600;

class SentenceReader {
 public:
  // form: the sentence's syntax, for errors. The sentence must outlive the reader.
  SentenceReader(const RawSentence& sentence, std::string_view form)
      : sentence_(sentence), form_(form), last_(sentence.tokens.size()) {}

  bool at_end() const { return next_ == last_; }
  Position position() const;
  // Consumes the next token if it is one of these words (given in lower case), ignoring case.
  bool accept(std::initializer_list<std::string_view> words);
  bool accept_comma();
  bool sees_quoted() const { return !at_end() && peek()->kind == Token::Kind::kQuoted; }
  bool sees_place() const;  // The next token is a number.
  // The same test as accept(), without consuming.
  bool sees(std::initializer_list<std::string_view> words) const;
  // Consumes the word, or returns an error.
  Result<void> expect(std::string_view word);
  Result<void> expect_end();

  Result<std::string> text();  // Quoted, may be empty.
  Result<std::string> name();  // Quoted, not blank; "the" before it and a noun after it are ignored.
  // Reads [the] [2nd] [button] "NAME" [button] [right of "ANCHOR"] [in "WINDOW"]; returns the written form of
  // lib/contract/element_query.h.
  Result<std::string> target();
  Result<double> number();  // Not negative.
  // A number, or one with "%" behind it.
  struct Amount {
    double value = 0;
    bool percent = false;
  };
  Result<Amount> amount();
  Result<std::string> variable_name();
  std::optional<std::string> word();       // The next token, if it is a word.
  std::optional<std::string> lone_kind();  // The rest of the sentence, if it is only a kind: "the list".
  // Removes "within N seconds" from the end of the sentence.
  Result<std::optional<double>> take_within();
  // Removes "N seconds", with or without a "within" or "for" before it, from the end.
  Result<std::optional<double>> take_seconds();
  // Removes "at most N times" from the end.
  Result<std::optional<double>> take_rounds();
  Result<Point> point();                     // X,Y
  std::optional<std::string> lone_quoted();  // The last token, if it is a quoted text.
  std::string rest_as_written();             // Consumes the rest and returns its source text.

  // An error with the token found, the expectation, and the form.
  Error expected(std::string_view what) const;
  // An error about an earlier token.
  Error problem(Position at, std::string_view what) const;

 private:
  const Token* peek() const { return at_end() ? nullptr : &sentence_.tokens[next_]; }
  // Consumes the words, separated by single spaces, if all of them come next.
  bool accept_phrase(std::string_view words);
  std::optional<std::string> role();
  bool accept_filler();
  contract::Relation relation();
  Result<void> read_anchor(ElementQuery& query);
  bool ends_with_seconds() const;
  Result<double> checked_seconds(const Token& number) const;
  Error no_target(Position at) const;
  Result<int> coordinate();

  const RawSentence& sentence_;
  std::string_view form_;
  std::size_t next_ = 0;
  std::size_t last_;  // End of the readable tokens.
};

}  // namespace da::planner::plain
