// UTF-8 and the safe display of foreign text. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace da {

// Unicode scalar values; nullopt if the text is not valid UTF-8 (overlong, surrogate, truncated, > U+10FFFF).
std::optional<std::u32string> decode_utf8(std::string_view text);
bool is_valid_utf8(std::string_view text);
void append_utf8(std::string& out, char32_t scalar);

// Each byte of the input is one character, U+0000 to U+00FF.
std::string utf8_of_latin1(std::string_view text);

// Replaces each invalid byte by \xNN, for text that must pass as UTF-8 whatever it contains.
std::string escape_invalid_utf8(std::string_view text);

// Makes text from the screen, a model or a window title safe to show: control, ANSI and bidirectional characters become
// visible escapes (\n, \x1b, \u{202e}), invalid bytes \xNN. Longer text is cut to max_characters and ends with "...".
std::string escape_foreign(std::string_view text, std::size_t max_characters = 500);

// escape_foreign() in quotation marks, with inner marks and backslashes escaped, so that the text cannot fake its end.
std::string quote_foreign(std::string_view text, std::size_t max_characters = 120);

// escape_foreign() for each line; line breaks are kept.
std::string escape_foreign_lines(std::string_view text, std::size_t max_characters);

// Whether the text is empty or has only white space, control and invisible characters.
bool shows_nothing(std::string_view text);

// Encodes a part of a URI: all but the unreserved characters of RFC 3986 become %XX.
std::string percent_encoded(std::string_view text);

// A TOML basic string, including its quotes.
std::string quote_toml(std::string_view text);

// Case-insensitive (ASCII and simple Latin, Greek, Cyrillic folding) substring test for window titles and names.
bool contains_ignoring_case(std::string_view text, std::string_view part);
std::string fold_case(std::string_view text);

// The strings with the separator between them.
template <class Strings>
std::string join(const Strings& strings, std::string_view separator) {
  std::string joined;
  for (const auto& one : strings) (joined += joined.empty() ? std::string_view() : separator) += one;
  return joined;
}

// Removes spaces, tabs, carriage returns and newlines at both ends.
std::string_view trim(std::string_view text);

}  // namespace da
