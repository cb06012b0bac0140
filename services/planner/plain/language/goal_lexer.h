// Splits the text of a plain goal into sentences of words, quoted texts and commas. Pure; any thread.
//
// A sentence ends at `;`, at a line break or at the word `then`, outside quotes. Quotes are "..." '...' “...” „...“ and
// ‘...’; inside them \" \' \\ \n \t are escapes, and a line break is text. A `#` at the beginning of a word begins a
// comment, to the end of the line. A sentence that begins with `if`, `repeat`, `while` or `optional` is a header and
// ends at
// `:`; its body follows on the same line: a sentence, or `{`, sentences and `}`. Positions count from 1, in
// characters. Errors are kInvalidArgument, with line and column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/result.h"

namespace da::planner::plain {

inline constexpr std::size_t kMaxGoalBytes = 1024 * 1024;
inline constexpr std::size_t kMaxSentences = 1000;     // Sentences as written; headers count.
inline constexpr std::size_t kMaxCarriedOut = 10'000;  // Sentences with repetitions.

struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

struct Token {
  enum class Kind { kWord, kQuoted, kComma };
  Kind kind = Kind::kWord;
  std::string text;    // Escapes resolved, without the quotes.
  std::string source;  // The token as written.
  Position at;
  bool spaced = false;  // White space comes before it.
};

struct RawSentence {
  enum class Kind {
    kSentence,
    kHeader,  // Does not include its ":". A kSentence, kHeader or kOpen follows.
    kOpen,    // "{", after a header.
    kClose,   // "}"; kOpen and kClose always match.
  };
  Kind kind = Kind::kSentence;
  std::vector<Token> tokens;  // Never empty.
  Position end;               // Directly after the last token.
};

Result<std::vector<RawSentence>> split_goal(std::string_view goal);

// "line 2, column 7: " + what.
Error goal_error(Position at, std::string_view what);

}  // namespace da::planner::plain
