// Finds a text in another one at word boundaries. Pure; any thread.
#pragma once

#include <string_view>
#include <vector>

namespace da::observer {

// How a part lies in a text.
enum class Within {
  kNo,        // The part is not in the text, or only as a piece of a longer word: "agree" in "disagree".
  kUnspaced,  // The part is in a script without spaces between words, such as Chinese, Japanese or Thai.
  kWords,     // The part is whole words of the text.
};

// The best of all occurrences. Both are UTF-8, and `part` is not empty. Invalid bytes count as letters.
Within find_words(std::string_view text, std::string_view part);

// The byte offset of each occurrence that is not Within::kNo.
std::vector<std::size_t> word_positions(std::string_view text, std::string_view part);

}  // namespace da::observer
