#include "services/actuator/desktop/win32/applications/win32_command_line.h"

#include "lib/base/text.h"

namespace da::actuator::win32 {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string quote_word(std::string_view word) {
  std::string out = "\"";
  std::size_t backslashes = 0;
  for (const char c : word) {
    // Backslashes are doubled only before a quotation mark.
    if (c == '"') out.append(backslashes + 1, '\\');
    backslashes = c == '\\' ? backslashes + 1 : 0;
    out += c;
  }
  out.append(backslashes, '\\');
  return out + '"';
}

}  // namespace

Result<std::vector<std::string>> split_words(std::string_view command) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  bool in_quotes = false;
  for (std::size_t i = 0; i < command.size();) {
    const std::size_t end = std::min(command.find_first_not_of('\\', i), command.size());
    const std::size_t backslashes = end - i;
    const char c = end < command.size() ? command[end] : '\0';
    in_word |= backslashes > 0;
    word.append(c == '"' ? backslashes / 2 : backslashes, '\\');
    i = end;
    if (i == command.size()) break;
    ++i;
    if (c == '"' && backslashes % 2 == 1) {
      word += c;
    } else if (c == '"') {
      in_quotes = !in_quotes;
      in_word = true;
    } else if (is_space(c) && !in_quotes) {
      if (in_word) words.push_back(std::exchange(word, {}));
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_quotes) {
    return Error{Code::kInvalidArgument, "the command " + escape_foreign(command) + " has an unclosed quotation mark"};
  }
  if (in_word) words.push_back(std::move(word));
  if (words.empty()) return Error{Code::kInvalidArgument, "the command to launch is empty"};
  return words;
}

std::string join_words(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    const bool plain = !word.empty() && word.find_first_of(" \t\n\r\v\"") == std::string::npos;
    line += plain ? word : quote_word(word);
  }
  return line;
}

}  // namespace da::actuator::win32
