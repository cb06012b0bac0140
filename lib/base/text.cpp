#include "lib/base/text.h"

#include <cstdio>

namespace da {
namespace {

struct Decoded {
  char32_t scalar;
  std::size_t length;  // 0 where the bytes are not UTF-8.
};

Decoded decode_one(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return {0, 0};
  char32_t scalar = first & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {0, 0};
    scalar = scalar << 6 | (byte(i) & 0x3f);
  }
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (scalar < kSmallest[length] || scalar > 0x10ffff || (scalar >= 0xd800 && scalar <= 0xdfff)) return {0, 0};
  return {scalar, length};
}

// Letters and marks that show nothing, or a gap: soft hyphen, joiner, fillers, vowel separator, Braille blank.
bool is_blank(char32_t c) {
  return c == 0xad || c == 0x34f || c == 0x115f || c == 0x1160 || c == 0x17b4 || c == 0x17b5 || c == 0x180e ||
         c == 0x2800 || c == 0x3164 || c == 0xffa0 || (c >= 0x1d173 && c <= 0x1d17a) || (c >= 0xe0100 && c <= 0xe01ef);
}

bool is_bidi_or_invisible(char32_t c) {
  return c == 0x061c || (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) ||
         c == 0xfeff || (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe007f) || is_blank(c);
}

// Unicode's White_Space.
bool is_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0d) || c == 0x20 || c == 0x85 || c == 0xa0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7f && c < 0xa0); }

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

char32_t fold(char32_t c) {
  if (c >= 'A' && c <= 'Z') return c + 32;
  if (c >= 0xc0 && c <= 0xde && c != 0xd7) return c + 32;
  if ((c >= 0x100 && c <= 0x137) || (c >= 0x14a && c <= 0x177)) return c | 1;
  if ((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17e)) return c + (c & 1);
  if (c >= 0x391 && c <= 0x3a9) return c + 32;
  if (c >= 0x410 && c <= 0x42f) return c + 32;
  if (c >= 0x400 && c <= 0x40f) return c + 80;
  return c;
}

}  // namespace

std::string utf8_of_latin1(std::string_view text) {
  std::string out;
  for (const char c : text) append_utf8(out, static_cast<unsigned char>(c));
  return out;
}

void append_utf8(std::string& out, char32_t c) {
  const auto put = [&](char32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xc0 | c >> 6), put(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    put(0xe0 | c >> 12), put(0x80 | (c >> 6 & 0x3f)), put(0x80 | (c & 0x3f));
  } else {
    put(0xf0 | c >> 18), put(0x80 | (c >> 12 & 0x3f)), put(0x80 | (c >> 6 & 0x3f)), put(0x80 | (c & 0x3f));
  }
}

std::optional<std::u32string> decode_utf8(std::string_view text) {
  std::u32string scalars;
  scalars.reserve(text.size());
  while (!text.empty()) {
    const Decoded next = decode_one(text);
    if (next.length == 0) return std::nullopt;
    scalars += next.scalar;
    text.remove_prefix(next.length);
  }
  return scalars;
}

bool is_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const Decoded next = decode_one(text);
    if (next.length == 0) return false;
    text.remove_prefix(next.length);
  }
  return true;
}

std::string escape_invalid_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Decoded next = decode_one(text);
    const std::size_t length = next.length == 0 ? 1 : next.length;
    if (next.length == 0) {
      append_byte(out, text[0]);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return out;
}

std::string escape_foreign(std::string_view text, std::size_t max_characters) {
  std::string out;
  for (std::size_t shown = 0; !text.empty(); ++shown) {
    if (shown == max_characters) return out + "...";
    const Decoded next = decode_one(text);
    if (next.length == 0) {
      append_byte(out, text[0]);
    } else {
      append_escaped(out, next.scalar);
    }
    text.remove_prefix(next.length == 0 ? 1 : next.length);
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
    const Decoded next = decode_one(text);
    if (next.length == 0) return false;
    if (!is_space(next.scalar) && !is_control(next.scalar) && !is_bidi_or_invisible(next.scalar)) return false;
    text.remove_prefix(next.length);
  }
  return true;
}

std::string fold_case(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Decoded next = decode_one(text);
    if (next.length == 0) {
      out += text[0];
      text.remove_prefix(1);
      continue;
    }
    append_utf8(out, fold(next.scalar));
    text.remove_prefix(next.length);
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
