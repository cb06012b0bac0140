// Walks over the tokens of one sentence, and words its errors. Used by the goal parser alone. Pure; one thread.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "lib/base/geometry.h"
#include "lib/base/result.h"
#include "services/planner/plain/goal_lexer.h"

namespace da::planner::plain {

inline constexpr double kMaxWaitSeconds = 600;

class SentenceReader {
 public:
  // form is how the sentence should look, for errors. The sentence must outlive the reader.
  SentenceReader(const RawSentence& sentence, std::string_view form)
      : sentence_(sentence), form_(form), last_(sentence.tokens.size()) {}

  bool at_end() const { return next_ == last_; }
  Position position() const;
  // True, and moves on, where the next token is one of these words (lower case), in any case.
  bool accept(std::initializer_list<std::string_view> words);
  bool accept_comma();
  bool sees_quoted() const { return !at_end() && peek()->kind == Token::Kind::kQuoted; }
  bool sees_place() const;  // The first number of X,Y.
  // True where the next token is one of these words; does not move.
  bool sees(std::initializer_list<std::string_view> words) const;
  // The word, or an error that says it was expected.
  Result<void> expect(std::string_view word);
  Result<void> expect_end();

  Result<std::string> text();  // Quoted, may be empty.
  Result<std::string> name();  // Quoted, not blank; "the" before it and a noun behind it are passed over.
  // An element, as element_query.h writes it: [the] [2nd] [button] "NAME" [button] [in "WINDOW"].
  Result<std::string> target();
  Result<double> number();  // Not negative.
  // "within N seconds" at the very end, which is then not seen by anything else.
  Result<std::optional<double>> take_within();
  Result<Point> point();                     // X,Y
  std::optional<std::string> lone_quoted();  // Where exactly one quoted text is left.
  std::string rest_as_written();             // All that is left, from the source; moves to the end.

  // What stands here, what was expected, and the form.
  Error expected(std::string_view what) const;
  // A problem with what was just read.
  Error problem(Position at, std::string_view what) const;

 private:
  const Token* peek() const { return at_end() ? nullptr : &sentence_.tokens[next_]; }
  std::optional<std::string> role();
  bool accept_filler();
  Error no_target(Position at) const;
  Result<int> coordinate();

  const RawSentence& sentence_;
  std::string_view form_;
  std::size_t next_ = 0;
  std::size_t last_;  // One behind the last token that is seen.
};

}  // namespace da::planner::plain
