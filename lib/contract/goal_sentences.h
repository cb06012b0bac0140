// The sentences of plain goals: one table from which the parser's messages, the console's help and the tables of
// docs/GOALS.md come. Tests parse each example. Pure; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace da::contract {

enum class GoalSentence : std::size_t {
  kOpen,
  kFocus,
  kType,
  kPaste,
  kPress,
  kClick,
  kHover,
  kSet,
  kSelect,
  kScroll,
  kDrag,
  kCopy,
  kWait,
  kWaitFor,
  kWaitUntil,
  kCheck,
  kCheckWindow,
  kClose,
  kTerminate,
  kDelete,
  kRepeat,
  kIf,
  kWhile,
  kOptional,
};

struct GoalSentenceForm {
  GoalSentence sentence;
  std::string_view syntax;
  std::string_view meaning;  // One line.
  std::string_view example;  // A valid goal.
};

// All forms, in the order of GoalSentence.
std::span<const GoalSentenceForm> goal_sentences();
const GoalSentenceForm& form_of(GoalSentence sentence);

struct GoalTerm {
  std::string_view name;  // "TARGET"
  std::string_view syntax;
  std::string_view meaning;
};

// The terms that the syntaxes use.
std::span<const GoalTerm> goal_terms();

// The sentences as a table of markdown, for documents.
std::string goal_sentences_markdown();

// The sentences and terms as lines of at most about 100 columns, for a terminal.
std::string goal_sentences_help();

}  // namespace da::contract
