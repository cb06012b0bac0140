#include "services/observer/text/word_bounds.h"

#include <algorithm>
#include <array>
#include <optional>

#include "lib/base/text.h"

namespace da::observer {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Above ASCII, all other characters count as letters or digits, also combining marks.
constexpr std::array kSeparators{
    Range{0x80, 0xa9},     Range{0xab, 0xb4},      Range{0xb6, 0xb9},     Range{0xbb, 0xbf},  // Signs of Latin-1.
    Range{0xd7, 0xd7},     Range{0xf7, 0xf7},      Range{0x1680, 0x1680},                     // Times, divided by.
    Range{0x2000, 0x200b}, Range{0x200e, 0x206f},  Range{0x20a0, 0x20cf}, Range{0x2190, 0x2bff}, Range{0x2e00, 0x2e7f},
    Range{0x3000, 0x3004}, Range{0x3008, 0x3020},  Range{0x3030, 0x3030}, Range{0xe000, 0xf8ff}, Range{0xfe10, 0xfe1f},
    Range{0xfe30, 0xfe6f}, Range{0xff01, 0xff0f},  Range{0xff1a, 0xff20}, Range{0xff3b, 0xff40}, Range{0xff5b, 0xff65},
    Range{0xffe0, 0xffff}, Range{0x1f000, 0x1faff}};

constexpr std::array kUnspaced{
    Range{0x0e00, 0x0eff},  Range{0x1000, 0x109f}, Range{0x1780, 0x17ff}, Range{0x2e80, 0x2fdf},    // Thai to Khmer.
    Range{0x3005, 0x3007},  Range{0x3021, 0x302f}, Range{0x3031, 0x312f}, Range{0x31a0, 0x4dbf},    // Kana, ideographs.
    Range{0x4e00, 0xa4cf},  Range{0xf900, 0xfaff}, Range{0xff66, 0xff9f}, Range{0x1b000, 0x1b16f},  //
    Range{0x20000, 0x3ffff}};

constexpr char32_t kUnknown = 0xfffd;

bool is_in(char32_t c, const auto& ranges) {
  return std::ranges::any_of(ranges, [&](const Range& range) { return c >= range.first && c <= range.last; });
}

bool is_word(char32_t c) {
  if (c < 0x80) return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return c == kUnknown || !is_in(c, kSeparators);
}

bool is_continuation_byte(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

char32_t scalar_of(std::string_view bytes) {
  const auto scalars = decode_utf8(bytes);
  return scalars && scalars->size() == 1 ? scalars->front() : kUnknown;
}

char32_t character_before(std::string_view text, std::size_t at) {
  std::size_t first = at - 1;
  while (first > 0 && is_continuation_byte(text[first])) --first;
  return scalar_of(text.substr(first, at - first));
}

char32_t character_after(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && is_continuation_byte(text[end])) ++end;
  return scalar_of(text.substr(at, end - at));
}

// The kind of boundary at this byte.
Within boundary(std::string_view text, std::size_t at) {
  if (at == 0 || at == text.size()) return Within::kWords;
  const char32_t left = character_before(text, at);
  const char32_t right = character_after(text, at);
  if (!is_word(left) || !is_word(right)) return Within::kWords;
  return is_in(left, kUnspaced) || is_in(right, kUnspaced) ? Within::kUnspaced : Within::kNo;
}

Within within(std::string_view text, std::size_t at, std::size_t size) {
  return std::min(boundary(text, at), boundary(text, at + size));
}

}  // namespace

Within find_words(std::string_view text, std::string_view part) {
  Within best = Within::kNo;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    best = std::max(best, within(text, at, part.size()));
    if (best == Within::kWords) break;
  }
  return best;
}

std::vector<std::size_t> word_positions(std::string_view text, std::string_view part) {
  std::vector<std::size_t> places;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    if (within(text, at, part.size()) != Within::kNo) places.push_back(at);
  }
  return places;
}

}  // namespace da::observer
