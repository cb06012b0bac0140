#include "services/console/shell_word.h"

#include <algorithm>
#include <cctype>

#include "lib/base/text.h"

namespace da::console {
namespace {

bool is_plain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("_-./,:+@%").find(c) != std::string::npos;
}

// Every byte that is no printable ASCII character is escaped.
std::string ansi_c_quoted(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string word = "$'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\'' || c == '\\') {
      word += {'\\', c};
    } else if (byte >= 0x20 && byte < 0x7f) {
      word += c;
    } else {
      word += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return word + "'";
}

}  // namespace

std::string shell_word(std::string_view text) {
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return std::string(text);
  if (escape_foreign(text, text.size()) != text) return ansi_c_quoted(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

}  // namespace da::console
