// The known name that was probably meant by a mistyped one. Pure; any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace da {

// The name with the fewest edits (over bytes, without regard to ASCII case; two neighbours that changed places are one
// edit), if it is at most a third of the word's length away, or begins with a word of at least three bytes. nullopt for
// no such name, and for words longer than 100 bytes.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> names);

// " (did you mean \"press\"?)", or empty.
std::string did_you_mean(std::string_view word, std::span<const std::string> names);

}  // namespace da
