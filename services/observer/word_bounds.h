// Where words begin and end. Pure; any thread.
#pragma once

#include <string_view>
#include <vector>

namespace da::observer {

// How much of a text is called the same as a part of it.
enum class Within {
  kNo,        // Not there, or only as a piece of longer words: "agree" in "disagree".
  kUnspaced,  // A piece of a text in a script that sets no spaces between words, such as Chinese, Japanese or Thai.
  kWords,     // Whole words.
};

// Both UTF-8; the part is not empty. Bytes that are not UTF-8 count as letters.
Within find_words(std::string_view text, std::string_view part);

// Of each place that is not Within::kNo the first byte.
std::vector<std::size_t> places_of_words(std::string_view text, std::string_view part);

}  // namespace da::observer
