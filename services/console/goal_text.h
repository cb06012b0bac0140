// Prepares a goal for sending: removes comments, and replaces {{NAME}} by the value from --set. Pure, except
// read_goal_text; any thread.
//
// A line whose first character after white space is # is a comment; it becomes an empty line, to keep line numbers.
// {{NAME}} (a letter or _, then letters, digits, _ and -) is a variable. {{secret:NAME}} is for the actuator and stays,
// as do names of `copy TARGET as NAME` and everything else in braces. Values are not searched for variables.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/result.h"

namespace da::console {

using Variables = std::map<std::string, std::string, std::less<>>;

// Parses "NAME=VALUE" texts. kInvalidArgument: another form, or a name that is given twice.
Result<Variables> parse_variables(const std::vector<std::string>& given);

enum class GoalKind {
  kSentences,  // Goal of the plain planner: a value in quotation marks is escaped, and elsewhere it must be one word,
               // so that no value can end its text or begin a sentence.
  kFreeText,   // Goal of a model: values are inserted unchanged.
};

// kInvalidArgument, with line and column: a variable is not set, or its value is not allowed at this place.
Result<std::string> expand_goal(std::string_view goal, const Variables& variables, GoalKind kind);

// Removes a byte order mark; makes lines that end with CR LF, or with CR alone, end with LF.
std::string plain_lines(std::string_view text);

// Returns `goal`, or the plain_lines() of the file; "-" is stdin. kInvalidArgument: unreadable, or not UTF-8.
Result<std::string> read_goal_text(const std::string& goal, const std::string& file);

}  // namespace da::console
