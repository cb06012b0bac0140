#include "lib/base/command_words.h"

#include <utility>

#include "lib/base/text.h"

namespace da {

Result<std::vector<std::string>> split_words(std::string_view command) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (c == '\\' && quote != '\'' && i + 1 < command.size()) {
      word += command[++i];
      in_word = true;
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (in_word) words.push_back(std::exchange(word, {}));
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (quote != 0)
    return Error{Code::kInvalidArgument, "the command " + escape_foreign(command) + " has an unclosed quote"};
  if (in_word) words.push_back(std::move(word));
  if (words.empty()) return Error{Code::kInvalidArgument, "the command is empty"};
  return words;
}

}  // namespace da
