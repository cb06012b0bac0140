#include "lib/base/text.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace da {
namespace {

struct Decoded {
  char32_t scalar;
  std::size_t length;  // 0 if the bytes are not valid UTF-8.
};

Decoded decode_one(std::string_view text) {
  const auto size = static_cast<int32_t>(std::min<std::size_t>(text.size(), U8_MAX_LENGTH));
  int32_t length = 0;
  UChar32 scalar = 0;
  U8_NEXT(reinterpret_cast<const std::uint8_t*>(text.data()), length, size, scalar);
  if (scalar < 0) return {0, 0};
  return {static_cast<char32_t>(scalar), static_cast<std::size_t>(length)};
}

// Removes the first character, or one byte if it is not valid UTF-8.
Decoded take_one(std::string_view& text) {
  const Decoded first = decode_one(text);
  text.remove_prefix(first.length == 0 ? 1 : first.length);
  return first;
}

UChar32 code_of(char32_t c) { return static_cast<UChar32>(c); }

// Characters that show nothing, change the direction of what follows, or end a line. Variation selectors are left
// alone, because they are common in titles (emoji) and hide nothing.
bool is_bidi_or_invisible(char32_t c) {
  constexpr char32_t kBrailleBlank = 0x2800;
  const bool selector = c >= 0xfe00 && c <= 0xfe0f;
  const bool annotation = c >= 0xfff9 && c <= 0xfffb;
  return (u_hasBinaryProperty(code_of(c), UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0 && !selector) || annotation ||
         c == kBrailleBlank || c == 0x2028 || c == 0x2029;
}

bool is_space(char32_t c) { return u_isUWhiteSpace(code_of(c)) != 0; }

bool is_control(char32_t c) { return u_charType(code_of(c)) == U_CONTROL_CHAR; }

void append_byte(std::string& out, char byte) {
  char buffer[8];
  std::snprintf(buffer, sizeof buffer, "\\x%02x", static_cast<unsigned char>(byte));
  out += buffer;
}

void append_escaped(std::string& out, char32_t c) {
  char buffer[16];
  if (c == '\n') {
    out += "\\n";
  } else if (c == '\t') {
    out += "\\t";
  } else if (c == '\r') {
    out += "\\r";
  } else if (is_control(c)) {
    std::snprintf(buffer, sizeof buffer, "\\x%02x", static_cast<unsigned>(c));
    out += buffer;
  } else if (is_bidi_or_invisible(c)) {
    std::snprintf(buffer, sizeof buffer, "\\u{%x}", static_cast<unsigned>(c));
    out += buffer;
  } else {
    append_utf8(out, c);
  }
}

}  // namespace

std::string utf8_of_latin1(std::string_view text) {
  std::string out;
  for (const char c : text) append_utf8(out, static_cast<unsigned char>(c));
  return out;
}

void append_utf8(std::string& out, char32_t c) {
  std::uint8_t bytes[U8_MAX_LENGTH];
  int32_t length = 0;
  U8_APPEND_UNSAFE(bytes, length, code_of(c));
  out.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length));
}

std::optional<std::u32string> decode_utf8(std::string_view text) {
  std::u32string scalars;
  scalars.reserve(text.size());
  while (!text.empty()) {
    const Decoded next = take_one(text);
    if (next.length == 0) return std::nullopt;
    scalars += next.scalar;
  }
  return scalars;
}

bool is_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    if (take_one(text).length == 0) return false;
  }
  return true;
}

std::string escape_invalid_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view rest = text;
    const std::size_t length = take_one(text).length;
    if (length == 0) {
      append_byte(out, rest[0]);
    } else {
      out += rest.substr(0, length);
    }
  }
  return out;
}

std::string escape_foreign(std::string_view text, std::size_t max_characters) {
  std::string out;
  for (std::size_t shown = 0; !text.empty(); ++shown) {
    if (shown == max_characters) return out + "...";
    const char first = text[0];
    const Decoded next = take_one(text);
    if (next.length == 0) {
      append_byte(out, first);
    } else {
      append_escaped(out, next.scalar);
    }
  }
  return out;
}

std::string quote_foreign(std::string_view text, std::size_t max_characters) {
  std::string escaped;
  for (const char c : text) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return "\"" + escape_foreign(escaped, max_characters) + "\"";
}

std::string escape_foreign_lines(std::string_view text, std::size_t max_characters) {
  std::string out;
  while (true) {
    const std::size_t end = text.find('\n');
    out += escape_foreign(text.substr(0, end), max_characters);
    if (end == std::string_view::npos || out.size() >= max_characters) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

bool shows_nothing(std::string_view text) {
  while (!text.empty()) {
    const Decoded next = take_one(text);
    if (next.length == 0) return false;
    if (!is_space(next.scalar) && !is_control(next.scalar) && !is_bidi_or_invisible(next.scalar)) return false;
  }
  return true;
}

std::string fold_case(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const char first = text[0];
    const Decoded next = take_one(text);
    if (next.length == 0) {
      out += first;
    } else {
      append_utf8(out, static_cast<char32_t>(u_foldCase(code_of(next.scalar), U_FOLD_CASE_DEFAULT)));
    }
  }
  return out;
}

bool contains_ignoring_case(std::string_view text, std::string_view part) {
  return fold_case(text).find(fold_case(part)) != std::string::npos;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  constexpr std::string_view kUnreserved = "-._~";
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       kUnreserved.find(c) != std::string_view::npos;
    if (plain) {
      encoded += c;
    } else {
      encoded += {'%', kHex[byte >> 4U], kHex[byte & 0xfU]};
    }
  }
  return encoded;
}

std::string quote_toml(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      quoted += "\\u00";
      quoted += kDigits[byte >> 4];
      quoted += kDigits[byte & 15];
      continue;
    }
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace da
