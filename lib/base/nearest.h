// Suggests the known name that a mistyped word probably meant. Pure; any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace da {

// The name with the fewest edits: over bytes, ignoring ASCII case; swapping two neighbours is one edit. The distance is
// at most a third of the word's length, or the name begins with the word (three bytes or more). nullopt if no name is
// that near, or if the word is longer than 100 bytes.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> names);

// " (did you mean \"press\"?)", or empty.
std::string did_you_mean(std::string_view word, std::span<const std::string> names);

}  // namespace da
