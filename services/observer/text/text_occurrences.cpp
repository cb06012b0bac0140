#include "services/observer/text/text_occurrences.h"

#include <string>
#include <utility>

#include "lib/base/name_text.h"
#include "lib/base/text.h"
#include "services/observer/locate/located_target.h"
#include "services/observer/text/word_bounds.h"

namespace da::observer {
namespace {

struct Folded {
  std::string text;
  // Indexes of the first and last character in the original that each byte comes from.
  std::vector<std::uint32_t> origin;
  std::vector<std::uint32_t> last;
};

bool is_blank(char32_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == 0xa0 || (c >= 0x2000 && c <= 0x200a) || c == 0x202f ||
         c == 0x3000;
}

// The end of the character that begins at `first`, with the accents that follow it as characters of their own.
std::size_t end_of_character(const std::u32string& characters, std::size_t first) {
  std::string whole;
  append_utf8(whole, characters[first]);
  std::size_t end = first + 1;
  for (; end < characters.size() && characters[end] >= 0x80; ++end) {
    std::string longer = whole;
    append_utf8(longer, characters[end]);
    std::string one = composed(longer);
    if (one == longer) break;
    whole = std::move(one);
  }
  return end;
}

Folded fold(const std::u32string& characters) {
  Folded folded;
  for (std::size_t i = 0; i < characters.size();) {
    std::string piece;
    const std::size_t end = is_blank(characters[i]) ? i + 1 : end_of_character(characters, i);
    if (is_blank(characters[i])) {
      if (!folded.text.ends_with(' ')) piece.assign(1, ' ');
    } else {
      for (std::size_t at = i; at < end; ++at) append_utf8(piece, characters[at]);
      piece = comparable_name(piece);
    }
    folded.text += piece;
    folded.origin.resize(folded.text.size(), static_cast<std::uint32_t>(i));
    folded.last.resize(folded.text.size(), static_cast<std::uint32_t>(end - 1));
    i = end;
  }
  return folded;
}

}  // namespace

std::vector<v1::TextRange> occurrences(std::string_view text, std::string_view wanted) {
  const auto characters = decode_utf8(text);
  const std::string words = comparable_name(plain_name(wanted));
  if (!characters || words.empty()) return {};
  const Folded folded = fold(*characters);
  std::vector<v1::TextRange> found;
  for (const std::size_t at : word_positions(folded.text, words)) {
    if (found.size() == kMaxOccurrences) break;
    const std::uint32_t first = folded.origin[at];
    v1::TextRange range;
    range.set_first(first);
    range.set_count(folded.last[at + words.size() - 1] - first + 1);
    found.push_back(std::move(range));
  }
  return found;
}

}  // namespace da::observer
