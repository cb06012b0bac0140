#include "services/console/terminal/questions/approval_answer.h"

#include <algorithm>

#include "lib/base/text.h"

namespace da::console {
namespace {

using Word = ApprovalAnswer::Word;

Word word_of(std::string_view text) {
  const std::string word = fold_case(text);
  if (word == "y" || word == "yes") return Word::kYes;
  if (word == "task") return Word::kTask;
  if (word == "n" || word == "no") return Word::kNo;
  if (word == "skip") return Word::kSkip;
  if (word == "stop") return Word::kStop;
  if (word == "edit") return Word::kEdit;
  if (word == "?" || word == "help") return Word::kHelp;
  return Word::kUnclear;
}

bool is_code(std::string_view text) {
  return text.find_first_of("0123456789") != std::string_view::npos &&
         std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || c == ' ' || c == '\t'; });
}

}  // namespace

ApprovalAnswer read_approval_answer(std::string_view line, AsksFor asks_for) {
  const std::string_view said = trim(line);
  const auto end = std::min(said.find_first_of(" \t"), said.size());
  const std::string word(said.substr(0, end));
  const ApprovalAnswer answer{word_of(word), std::string(trim(said.substr(end)))};
  if (answer.word == Word::kUnclear) {
    return {Word::kUnclear,
            word.empty() ? "" : "not answered: \"" + escape_foreign(word, 40) + "\" is not one of these words"};
  }
  if (answer.word != Word::kYes && answer.word != Word::kTask) return answer;
  if (asks_for == AsksFor::kYesAndCode && !is_code(answer.rest)) {
    return {Word::kUnclear, "not approved: after \"" + word + "\" comes the code of your authenticator, in digits"};
  }
  if (asks_for == AsksFor::kYes && !answer.rest.empty()) {
    return {Word::kUnclear, "not approved: \"" + word + "\" alone approves; \"no REASON\" denies"};
  }
  return answer;
}

}  // namespace da::console
