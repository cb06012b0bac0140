// Reads one sentence of a plain goal, without the blocks it may stand in. Used by the goal parser alone. Pure; any
// thread.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "lib/base/result.h"
#include "services/planner/plain/goal.h"
#include "services/planner/plain/goal_lexer.h"
#include "services/planner/plain/sentence_reader.h"

namespace da::planner::plain {

// How sentences look, for people.
extern const std::array<std::string_view, 19> kForms;
inline constexpr std::size_t kRepeatForm = 16;
inline constexpr std::size_t kIfForm = 17;
inline constexpr std::size_t kOptionalForm = 18;

// True where the sentence's token with this index is the word (lower case), in any case.
bool is_word(const RawSentence& raw, std::size_t index, std::string_view word);

// The sentence whose command is known, with its words and its place.
Sentence sentence_of(Command command, const RawSentence& raw);

Result<Sentence> parse_sentence(const RawSentence& raw);

// What stands behind "check" or "if".
Result<Check> parse_condition(SentenceReader& in);

}  // namespace da::planner::plain
