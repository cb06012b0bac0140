#include "services/policy/judgement/confusables.h"

#include <unicode/normalizer2.h>
#include <unicode/ubidi.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uspoof.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace da::policy {
namespace {

constexpr UChar32 kFirstNotAscii = 0x80;

// Up to this many characters that may be an i or an l are tried in all combinations; more are read all alike.
constexpr std::size_t kMostCombined = 4;

bool is_capital(UChar32 c) { return c >= 'A' && c <= 'Z'; }
bool is_small(UChar32 c) { return c >= 'a' && c <= 'z'; }
bool is_ascii_letter(UChar32 c) { return is_small(c) || is_capital(c); }

// The letter that a digit or sign looks like; 0 for none, or for both i and l.
UChar32 letter_like(UChar32 sign) {
  switch (sign) {
    case '0': return 'o';
    case '3': return 'e';
    case '4':
    case '@': return 'a';
    case '5':
    case '$': return 's';
    case '7': return 't';
    default: return 0;
  }
}

// Letters in squares and circles have neither a decomposition nor a confusable in Unicode.
UChar32 boxed_letter(UChar32 c) {
  for (const UChar32 first : {0x1f150, 0x1f170, 0x1f1e6}) {
    if (c >= first && c < first + 26) return 'a' + (c - first);
  }
  return 0;
}

// Small capitals: some Cyrillic and Greek small letters are confusable only with these.
constexpr std::pair<UChar32, char> kSmallCapitals[] = {
    {0x1d00, 'a'}, {0x299, 'b'},  {0x1d04, 'c'}, {0x1d05, 'd'}, {0x1d07, 'e'}, {0xa730, 'f'},
    {0x262, 'g'},  {0x29c, 'h'},  {0x26a, 'i'},  {0x1d0a, 'j'}, {0x1d0b, 'k'}, {0x29f, 'l'},
    {0x1d0d, 'm'}, {0x274, 'n'},  {0x1d0f, 'o'}, {0x1d18, 'p'}, {0x280, 'r'},  {0xa731, 's'},
    {0x1d1b, 't'}, {0x1d1c, 'u'}, {0x1d20, 'v'}, {0x1d21, 'w'}, {0x28f, 'y'},  {0x1d22, 'z'}};

// Maps each character to the Latin letter with the same UTS 39 skeleton. Built once, in some milliseconds. Characters
// of the East Asian blocks and characters above the table look like no Latin letter.
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
    for (const auto& [capital, letter] : kSmallCapitals) latin.emplace(skeleton(*checker, capital), letter);
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

bool is_mark_on_letter(UChar32 c) {
  return (c >= 0x300 && c <= 0x36f) || (c >= 0x483 && c <= 0x489) || (c >= 0x1ab0 && c <= 0x1aff) ||
         (c >= 0x1dc0 && c <= 0x1dff) || (c >= 0x20d0 && c <= 0x20ff) || (c >= 0xfe20 && c <= 0xfe2f);
}

// Marks that make a different letter in the languages of the shipped rules.
bool is_accent(UChar32 c) { return c == 0x300 || c == 0x301 || c == 0x302 || c == 0x303 || c == 0x308 || c == 0x327; }

enum class Accents { kDropped, kKept };

bool turns_direction(UChar32 c) { return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069); }

bool has_any(const icu::UnicodeString& text, bool (*is_one)(UChar32)) {
  for (int32_t at = 0; at < text.length(); ++at) {
    if (is_one(text.charAt(at))) return true;
  }
  return false;
}

// The characters in the order in which they are shown, from left to right.
icu::UnicodeString as_shown(const icu::UnicodeString& text) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UBiDi, void (*)(UBiDi*)> bidi(ubidi_openSized(text.length(), 0, &status), &ubidi_close);
  if (U_FAILURE(status) != 0) return text;
  ubidi_setPara(bidi.get(), text.getBuffer(), text.length(), UBIDI_DEFAULT_LTR, nullptr, &status);
  icu::UnicodeString shown;
  const int32_t written = ubidi_writeReordered(bidi.get(), shown.getBuffer(text.length() + 1), text.length() + 1,
                                               UBIDI_DO_MIRRORING | UBIDI_REMOVE_BIDI_CONTROLS, &status);
  shown.releaseBuffer(U_SUCCESS(status) != 0 ? written : 0);
  return U_SUCCESS(status) != 0 ? shown : text;
}

// NFKD makes marks separate characters. The case stays: the small letters of some Latin-looking capitals look
// different.
icu::UnicodeString decomposed_of(std::string_view text) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::UnicodeString given =
      icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<int32_t>(text.size())));
  const icu::Normalizer2* decompose = icu::Normalizer2::getNFKDInstance(status);
  if (U_FAILURE(status) != 0) return given;
  const icu::UnicodeString decomposed = decompose->normalize(given, status);
  return U_SUCCESS(status) != 0 ? decomposed : given;
}

struct Letters {
  icu::UnicodeString text;
  std::vector<int32_t> i_or_l;  // Indices of the characters that may be either.
};

bool is_letter_at(const icu::UnicodeString& text, int32_t at) {
  return at >= 0 && at < text.length() && is_ascii_letter(text.charAt(at));
}

bool is_digit_at(const icu::UnicodeString& text, int32_t at) { return at >= 0 && u_isdigit(text.charAt(at)) != 0; }

// Whether an ASCII character may be read as i or l instead: "DeIete", "CONFlRM", "lnstall".
bool may_be_i_or_l(const icu::UnicodeString& text, int32_t at) {
  const UChar32 before = at > 0 ? text.charAt(at - 1) : 0;
  const UChar32 after = at + 1 < text.length() ? text.charAt(at + 1) : 0;
  switch (text.charAt(at)) {
    case '1':
    case '|':
    case '!': return is_ascii_letter(before) && is_ascii_letter(after);
    case 'I': return is_small(before);
    case 'l': return (is_capital(before) && is_capital(after)) || (!is_ascii_letter(before) && after == 'n');
    default: return false;
  }
}

Letters in_latin_letters(const icu::UnicodeString& text, Accents accents) {
  Letters letters;
  for (int32_t at = 0; at < text.length(); at = text.moveIndex32(at, 1)) {
    const UChar32 c = text.char32At(at);
    if (u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0) continue;
    if (is_mark_on_letter(c) && !(accents == Accents::kKept && is_accent(c))) continue;
    const UChar32 drawn = boxed_letter(c);
    const UChar32 latin = drawn != 0 ? drawn : LatinLetters::instance().of(c);
    if (latin != c && (latin == 'i' || latin == 'l')) letters.i_or_l.push_back(letters.text.length());
    letters.text.append(latin);
  }
  icu::UnicodeString& read = letters.text;
  const icu::UnicodeString given = read;
  for (int32_t at = 0; at < read.length(); ++at) {
    if (may_be_i_or_l(given, at)) letters.i_or_l.push_back(at);
    const UChar32 letter = letter_like(given.charAt(at));
    const bool in_word = !is_digit_at(read, at - 1) && is_letter_at(given, at + 1);
    if (letter != 0 && in_word) read.setCharAt(at, static_cast<char16_t>(letter));
  }
  return letters;
}

icu::UnicodeString composed(const icu::UnicodeString& text) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* compose = icu::Normalizer2::getNFCInstance(status);
  if (U_FAILURE(status) != 0) return text;
  const icu::UnicodeString whole = compose->normalize(text, status);
  return U_SUCCESS(status) != 0 ? whole : text;
}

std::string folded(icu::UnicodeString text) {
  std::string read;
  text.foldCase();
  composed(text).toUTF8String(read);
  return read;
}

void add_readings(const icu::UnicodeString& text, Accents accents, std::vector<std::string>& readings) {
  const Letters letters = in_latin_letters(text, accents);
  const std::size_t tried = letters.i_or_l.size() <= kMostCombined ? letters.i_or_l.size() : 1;
  for (unsigned ways = 0; ways < (1U << tried); ++ways) {
    icu::UnicodeString read = letters.text;
    for (std::size_t each = 0; each < letters.i_or_l.size(); ++each) {
      const bool is_i = (ways >> (tried == 1 ? 0 : each) & 1U) != 0;
      read.setCharAt(letters.i_or_l[each], is_i ? u'i' : u'l');
    }
    std::string reading = folded(std::move(read));
    if (std::ranges::find(readings, reading) == readings.end()) readings.push_back(std::move(reading));
  }
}

// False if every character is unambiguous: a fast path for most texts.
bool may_read_otherwise(std::string_view text) {
  char before = ' ';
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (static_cast<unsigned char>(c) >= kFirstNotAscii || letter_like(c) != 0) return true;
    if (c == '1' || c == '|' || c == '!' || (c == 'I' && is_small(before))) return true;
    if (c == 'l' && at + 1 < text.size() &&
        (is_capital(before) ? is_capital(text[at + 1]) : !is_small(before) && text[at + 1] == 'n'))
      return true;
    before = c;
  }
  return false;
}

}  // namespace

std::vector<std::string> readings_of(std::string_view text) {
  std::vector<std::string> readings;
  if (!may_read_otherwise(text)) return readings;
  const icu::UnicodeString letters = decomposed_of(text);
  std::vector<icu::UnicodeString> orders = {letters};
  if (has_any(letters, turns_direction)) orders.push_back(as_shown(letters));
  for (const icu::UnicodeString& order : orders) {
    add_readings(order, Accents::kDropped, readings);
    if (has_any(order, is_accent)) add_readings(order, Accents::kKept, readings);
  }
  std::erase(readings, std::string(text));
  return readings;
}

}  // namespace da::policy
