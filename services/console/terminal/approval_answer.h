// The line with which a person answers an approval at the terminal, read. What may be meant otherwise is no "yes": only
// "yes", and where a code is asked for "yes CODE", approve. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace da::console {

enum class AsksFor { kYes, kYesAndCode };

struct ApprovalAnswer {
  enum class Word { kUnclear, kYes, kTask, kNo, kSkip, kStop, kEdit, kHelp };
  Word word = Word::kUnclear;
  std::string
      rest;  // The code, the reason, or the arguments; of what is unclear, what to tell the person; may be empty.
};

ApprovalAnswer read_approval_answer(std::string_view line, AsksFor asks_for);

}  // namespace da::console
