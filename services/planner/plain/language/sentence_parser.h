// Parses one sentence of a plain goal, without blocks. Only the goal parser uses it. Pure; any thread.
#pragma once

#include <cstddef>
#include <string_view>

#include "lib/base/result.h"
#include "lib/contract/goal_sentences.h"
#include "services/planner/plain/language/goal.h"
#include "services/planner/plain/language/goal_lexer.h"
#include "services/planner/plain/language/sentence_reader.h"

namespace da::planner::plain {

// The syntax of a sentence, for error messages.
std::string_view syntax_of(contract::GoalSentence sentence);

// True if the token at `index` is `word` (given in lower case), ignoring case.
bool is_word(const RawSentence& raw, std::size_t index, std::string_view word);

// The sentence for a parsed command, with its source text and position.
Sentence sentence_of(Command command, const RawSentence& raw);

Result<Sentence> parse_sentence(const RawSentence& raw);

}  // namespace da::planner::plain
