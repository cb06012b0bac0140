// UTF-8 and the safe display of foreign text. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace da {

// Unicode scalar values of valid UTF-8; nullopt where it is not valid (overlong, surrogate, truncated, > U+10FFFF).
std::optional<std::u32string> decode_utf8(std::string_view text);
bool is_valid_utf8(std::string_view text);
void append_utf8(std::string& out, char32_t scalar);

// Each byte is a character, U+0000 to U+00FF.
std::string utf8_of_latin1(std::string_view text);

// The same text with each byte that is not UTF-8 as \xNN; for what must get through whatever it holds.
std::string escape_invalid_utf8(std::string_view text);

// Text from the screen, a model or a window title as it may be shown to a person: control, ANSI and bidirectional
// characters become visible escapes (\n, \x1b, \u{202e}), invalid bytes \xNN; cut to max_characters with "...".
std::string escape_foreign(std::string_view text, std::size_t max_characters = 500);

// The same in quotation marks, with those inside escaped, so that no text can look like what follows it.
std::string quote_foreign(std::string_view text, std::size_t max_characters = 120);

// The same for a text of several lines, which keeps its line breaks.
std::string escape_foreign_lines(std::string_view text, std::size_t max_characters);

// Whether a person would see nothing of it: empty, or white space, control and invisible characters alone.
bool shows_nothing(std::string_view text);

// A TOML basic string, with its quotes, that reads back as this text.
std::string quote_toml(std::string_view text);

// Case-insensitive (ASCII and simple Latin, Greek, Cyrillic folding) substring test for window titles and names.
bool contains_ignoring_case(std::string_view text, std::string_view part);
std::string fold_case(std::string_view text);

// Without white space at both ends.
std::string_view trim(std::string_view text);

}  // namespace da
