#include "services/observer/text/text_occurrences.h"

#include <string>

#include "lib/base/text.h"
#include "services/observer/locate/located_target.h"
#include "services/observer/text/word_bounds.h"

namespace da::observer {
namespace {

struct Folded {
  std::string text;
  std::vector<std::uint32_t> origin;  // By byte: the index of its character in the original.
};

Folded fold(const std::u32string& characters) {
  Folded folded;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const char32_t c = characters[i];
    std::string piece;
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (!folded.text.ends_with(' ')) piece = " ";
    } else {
      append_utf8(piece, c);
      piece = fold_case(piece);
    }
    folded.text += piece;
    folded.origin.resize(folded.text.size(), static_cast<std::uint32_t>(i));
  }
  return folded;
}

}  // namespace

std::vector<v1::TextRange> occurrences(std::string_view text, std::string_view wanted) {
  const auto characters = decode_utf8(text);
  const std::string words = fold_case(plain_name(wanted));
  if (!characters || words.empty()) return {};
  const Folded folded = fold(*characters);
  std::vector<v1::TextRange> found;
  for (const std::size_t at : word_positions(folded.text, words)) {
    if (found.size() == kMaxOccurrences) break;
    const std::uint32_t first = folded.origin[at];
    v1::TextRange range;
    range.set_first(first);
    range.set_count(folded.origin[at + words.size() - 1] - first + 1);
    found.push_back(std::move(range));
  }
  return found;
}

}  // namespace da::observer
