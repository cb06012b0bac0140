#include "services/policy/look_alikes.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uspoof.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

namespace da::policy {
namespace {

constexpr UChar32 kFirstNotAscii = 0x80;

bool is_ascii_letter(UChar32 c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The letter that a digit or sign is drawn like.
UChar32 letter_like(UChar32 sign) {
  switch (sign) {
    case '0': return 'o';
    case '1':
    case '|': return 'l';
    default: return sign;
  }
}

// For each character the Latin letter that it is confusable with (UTS 39: the skeletons of both are equal). Made once,
// which takes some milliseconds. Characters of the East Asian blocks look like no Latin letter, nor do those above the
// table that folding leaves.
class LatinLetters {
 public:
  UChar32 of(UChar32 character) const {
    const bool known = character >= 0 && character < kTableEnd && letters_[static_cast<std::size_t>(character)] != 0;
    return known ? letters_[static_cast<std::size_t>(character)] : character;
  }

  static const LatinLetters& instance() {
    static const LatinLetters one;
    return one;
  }

 private:
  static constexpr UChar32 kTableEnd = 0xac00;
  static constexpr UChar32 kEastAsianBegin = 0x3000;
  static constexpr UChar32 kEastAsianEnd = 0xa4d0;
  struct Close {
    void operator()(USpoofChecker* checker) const { uspoof_close(checker); }
  };
  using Checker = std::unique_ptr<USpoofChecker, Close>;

  LatinLetters() : letters_(kTableEnd) {
    UErrorCode status = U_ZERO_ERROR;
    const Checker checker(uspoof_open(&status));
    if (U_FAILURE(status) != 0) return;
    std::map<icu::UnicodeString, char> latin;
    for (char c = 'a'; c <= 'z'; ++c) latin.emplace(skeleton(*checker, c), c);
    for (char c = 'a'; c <= 'z'; ++c) latin.emplace(skeleton(*checker, c - 'a' + 'A'), c);
    for (UChar32 c = kFirstNotAscii; c < kTableEnd; ++c) {
      if (c == kEastAsianBegin) c = kEastAsianEnd;
      const auto found = latin.find(skeleton(*checker, c));
      if (found == latin.end()) continue;
      // A capital I has the skeleton of a small L.
      const bool capital_i = found->second == 'l' && u_isUUppercase(c) != 0;
      letters_[static_cast<std::size_t>(c)] = capital_i ? 'i' : found->second;
    }
  }

  static icu::UnicodeString skeleton(const USpoofChecker& checker, UChar32 character) {
    UErrorCode status = U_ZERO_ERROR;
    icu::UnicodeString result;
    uspoof_getSkeletonUnicodeString(&checker, 0, icu::UnicodeString(character), result, &status);
    return U_SUCCESS(status) != 0 ? result : icu::UnicodeString(character);
  }

  std::vector<char> letters_;  // 0: none.
};

bool is_mark_on_letter(UChar32 c) { return c >= 0x300 && c <= 0x36f; }

// In compatibility forms, and taken apart so that marks stand by themselves. The case stays: Cyrillic capitals look
// Latin where their small letters do not.
icu::UnicodeString decomposed_of(std::string_view text) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::UnicodeString given =
      icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<int32_t>(text.size())));
  const icu::Normalizer2* decompose = icu::Normalizer2::getNFKDInstance(status);
  if (U_FAILURE(status) != 0) return given;
  const icu::UnicodeString decomposed = decompose->normalize(given, status);
  return U_SUCCESS(status) != 0 ? decomposed : given;
}

icu::UnicodeString in_latin_letters(const icu::UnicodeString& text) {
  icu::UnicodeString latin;
  for (int32_t at = 0; at < text.length(); at = text.moveIndex32(at, 1)) {
    const UChar32 c = text.char32At(at);
    const bool shown = u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) == 0;
    if (shown && !is_mark_on_letter(c)) latin.append(LatinLetters::instance().of(c));
  }
  latin.foldCase();
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* compose = icu::Normalizer2::getNFCInstance(status);
  if (U_FAILURE(status) != 0) return latin;
  const icu::UnicodeString whole = compose->normalize(latin, status);
  return U_SUCCESS(status) != 0 ? whole : latin;
}

// "de1ete": a sign that stands between letters is read as one.
icu::UnicodeString signs_as_letters(const icu::UnicodeString& text) {
  icu::UnicodeString read = text;
  for (int32_t at = 1; at + 1 < read.length(); ++at) {
    const UChar32 letter = letter_like(read.charAt(at));
    if (letter != read.charAt(at) && is_ascii_letter(read.charAt(at - 1)) && is_ascii_letter(text.charAt(at + 1))) {
      read.setCharAt(at, static_cast<char16_t>(letter));
    }
  }
  return read;
}

bool may_read_otherwise(std::string_view text) {
  return std::ranges::any_of(
      text, [](char c) { return static_cast<unsigned char>(c) >= kFirstNotAscii || c == '0' || c == '1' || c == '|'; });
}

}  // namespace

std::optional<std::string> as_it_reads(std::string_view text) {
  if (!may_read_otherwise(text)) return std::nullopt;
  std::string read;
  signs_as_letters(in_latin_letters(decomposed_of(text))).toUTF8String(read);
  if (read == text) return std::nullopt;
  return read;
}

}  // namespace da::policy
