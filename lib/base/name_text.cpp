#include "lib/base/name_text.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <utility>

#include "lib/base/text.h"

namespace da {
namespace {

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Normalizing must keep what is no UTF-8, so that two broken titles are not the same: only valid text is normalized.
std::string normalized(std::string_view text, const icu::Normalizer2* by, UErrorCode status) {
  if (U_FAILURE(status) || by == nullptr || !is_valid_utf8(text)) return std::string(text);
  const auto given = icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<int32_t>(text.size())));
  const icu::UnicodeString changed = by->normalize(given, status);
  if (U_FAILURE(status)) return std::string(text);
  std::string utf8;
  changed.toUTF8String(utf8);
  return utf8;
}

std::string folded(std::string_view text) {
  if (is_ascii(text)) {
    std::string lower(text);
    for (char& c : lower) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return lower;
  }
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* by = icu::Normalizer2::getNFKCCasefoldInstance(status);
  // The data of NFKC is a file of ICU's; without it, only the case is folded.
  return U_FAILURE(status) ? fold_case(text) : normalized(text, by, status);
}

// ASCII for typographic signs that a person types in plain form; 0 for the others.
char plain_sign(char32_t c) {
  if ((c >= 0x2010 && c <= 0x2015) || c == 0x2212) return '-';
  if (c >= 0x2018 && c <= 0x201b) return '\'';
  if (c >= 0x201c && c <= 0x201f) return '"';
  if (c == 0x2028 || c == 0x2029 || c == 0x1680) return ' ';
  return 0;
}

}  // namespace

std::string comparable_name(std::string_view name) {
  const std::string text = folded(name);
  const auto characters = is_ascii(text) ? std::nullopt : decode_utf8(text);
  std::string plain;
  plain.reserve(text.size());
  const auto add = [&plain](char c) {
    const bool space = c == ' ' || (c >= '\t' && c <= '\r');
    if (space && (plain.empty() || plain.back() == ' ')) return;
    plain += space ? ' ' : c;
  };
  if (characters) {
    for (const char32_t c : *characters) {
      const char sign = c < 0x80 ? static_cast<char>(c) : plain_sign(c);
      if (sign != 0) {
        add(sign);
      } else {
        append_utf8(plain, c);
      }
    }
  } else {
    for (const char c : text) add(c);
  }
  if (plain.ends_with(' ')) plain.pop_back();
  return plain;
}

bool is_same_name(std::string_view name, std::string_view other) {
  const std::string form = comparable_name(name);
  return !form.empty() && form == comparable_name(other);
}

bool name_contains(std::string_view name, std::string_view part) {
  if (part.empty()) return true;
  const std::string form = comparable_name(part);
  return !form.empty() && comparable_name(name).find(form) != std::string::npos;
}

TitleFit title_fit(std::string_view title, std::string_view wanted) {
  if (title == wanted) return TitleFit::kExact;
  if (is_same_name(title, wanted)) return TitleFit::kSameName;
  return name_contains(title, wanted) ? TitleFit::kContains : TitleFit::kNo;
}

std::string without_accents(std::string_view text) {
  if (is_ascii(text)) return std::string(text);
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* by = icu::Normalizer2::getNFDInstance(status);
  const auto characters = decode_utf8(normalized(text, by, status));
  if (!characters) return std::string(text);
  std::string plain;
  for (const char32_t c : *characters) {
    if (u_charType(static_cast<UChar32>(c)) != U_NON_SPACING_MARK) append_utf8(plain, c);
  }
  return composed(plain);
}

std::string composed(std::string_view text) {
  if (is_ascii(text)) return std::string(text);
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* by = icu::Normalizer2::getNFCInstance(status);
  return normalized(text, by, status);
}

}  // namespace da
