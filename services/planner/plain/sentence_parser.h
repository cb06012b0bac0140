// Parses one sentence of a plain goal, without blocks. Only the goal parser uses it. Pure; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "lib/base/result.h"
#include "services/planner/plain/goal.h"
#include "services/planner/plain/goal_lexer.h"
#include "services/planner/plain/sentence_reader.h"

namespace da::planner::plain {

// The syntax of each sentence, for error messages.
extern const std::array<std::string_view, 19> kForms;
inline constexpr std::size_t kRepeatForm = 16;
inline constexpr std::size_t kIfForm = 17;
inline constexpr std::size_t kOptionalForm = 18;

// True if the token at `index` is `word` (given in lower case), ignoring case.
bool is_word(const RawSentence& raw, std::size_t index, std::string_view word);

// The sentence for a parsed command, with its source text and position.
Sentence sentence_of(Command command, const RawSentence& raw);

Result<Sentence> parse_sentence(const RawSentence& raw);

// Parses the condition after "check" or "if".
Result<Check> parse_condition(SentenceReader& in);

}  // namespace da::planner::plain
