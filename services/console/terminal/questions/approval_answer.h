// Parses the line that a person types to answer an approval. Only an unambiguous line approves: "yes" or "task", with
// the code if one is needed. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace da::console {

enum class AsksFor { kYes, kYesAndCode };

struct ApprovalAnswer {
  enum class Word { kUnclear, kYes, kTask, kNo, kSkip, kStop, kEdit, kHelp };
  Word word = Word::kUnclear;
  std::string rest;  // The code, reason or arguments; for kUnclear, an error for the person. May be empty.
};

ApprovalAnswer read_approval_answer(std::string_view line, AsksFor asks_for);

}  // namespace da::console
