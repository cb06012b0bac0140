// A goal as a person writes it, made ready to be sent: comments left out, and {{NAME}} replaced by what --set says.
// Pure but for read_goal_text; any thread.
//
// A line whose first character, after white space, is # is a comment; it becomes an empty line, so that lines keep
// their numbers. {{NAME}} (a letter or _, then letters, digits, _ and -) is a variable; {{secret:NAME}} is the
// actuator's and stays, as does everything else in braces. What a variable stands for is not searched for variables
// again.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/result.h"

namespace da::console {

using Variables = std::map<std::string, std::string, std::less<>>;

// From "NAME=VALUE". kInvalidArgument: no such pair, or a name that is given twice.
Result<Variables> parse_variables(const std::vector<std::string>& given);

enum class GoalKind {
  kSentences,  // Of the plain planner: a value in quotation marks is escaped, and elsewhere it must be one word, so
               // that no value can end its text or begin a sentence.
  kFreeText,   // For a model: values stand as they are.
};

// kInvalidArgument, with line and column: a variable that is not set, a value that cannot stand where it would.
Result<std::string> expand_goal(std::string_view goal, const Variables& variables, GoalKind kind);

// The goal itself, or the content of the file; "-" is stdin. kInvalidArgument: it cannot be read, or is not UTF-8.
Result<std::string> read_goal_text(const std::string& goal, const std::string& file);

}  // namespace da::console
