#include "lib/base/text.h"

#include <gtest/gtest.h>

namespace da {
namespace {

TEST(EscapeForeign, ShowsControlAnsiAndBidiCharacters) {
  EXPECT_EQ(escape_foreign("a\x1b[31mb\n\u202Ec\u200B"), "a\\x1b[31mb\\n\\u{202e}c\\u{200b}");
  EXPECT_EQ(escape_foreign("\xc2\x9b"
                           "31m"),
            "\\x9b31m");
}

TEST(EscapeForeign, EscapesInvisibleLetters) {
  EXPECT_EQ(escape_foreign("rm\u3164-rf\u00ad\u2800x"), "rm\\u{3164}-rf\\u{ad}\\u{2800}x");
}

TEST(EscapeForeign, KeepsLettersOfAnyScript) { EXPECT_EQ(escape_foreign("Grüße 漢字 €😀"), "Grüße 漢字 €😀"); }

TEST(EscapeForeign, ShowsBytesThatAreNotUtf8) { EXPECT_EQ(escape_foreign("a\xff\xc3"), "a\\xff\\xc3"); }

TEST(EscapeInvalidUtf8, EscapesInvalidBytesOnly) {
  EXPECT_EQ(escape_invalid_utf8("gef\xe4hrlich"), "gef\\xe4hrlich");
  EXPECT_EQ(escape_invalid_utf8("a\xe2\x82"), "a\\xe2\\x82");
  const std::string valid = "Gr\u00fc\u00dfe \u6f22\n\x1b[1m \U0001F600";
  EXPECT_EQ(escape_invalid_utf8(valid), valid);
}

TEST(EscapeForeign, CutsLongTextByCharacters) { EXPECT_EQ(escape_foreign("äöü", 2), "äö..."); }

TEST(EscapeForeignLines, KeepsLineBreaksAndEscapesTheRest) {
  EXPECT_EQ(escape_foreign_lines("a\n\x1b[1mb\r\n", 100), "a\n\\x1b[1mb\\r\n");
}

TEST(DecodeUtf8, RefusesOverlongSurrogateAndTruncatedForms) {
  for (const char* bad : {"\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80", "\xf8\x88\x80\x80\x80"}) {
    EXPECT_FALSE(decode_utf8(bad).has_value()) << escape_foreign(bad);
    EXPECT_FALSE(is_valid_utf8(bad));
  }
}

TEST(DecodeUtf8, InvertsAppendUtf8) {
  for (const char32_t c : {U'a', U'\u00e4', U'\u6f22', U'\U0001F600', U'\U0010FFFF'}) {
    std::string text;
    append_utf8(text, c);
    EXPECT_EQ(decode_utf8(text), std::u32string(1, c));
  }
}

TEST(ContainsIgnoringCase, FoldsLatinGreekAndCyrillic) {
  EXPECT_TRUE(contains_ignoring_case("UNTITLED - Mousepad", "mousePAD"));
  EXPECT_TRUE(contains_ignoring_case("ÜBERSICHT", "übersicht"));
  EXPECT_TRUE(contains_ignoring_case("ΑΡΧΕΙΟ", "αρχειο"));
  EXPECT_TRUE(contains_ignoring_case("ФАЙЛ Ё", "файл ё"));
  EXPECT_FALSE(contains_ignoring_case("abc", "abd"));
}

TEST(ShowsNothing, IsTrueForWhiteSpaceAndInvisibleCharacters) {
  for (const char* nothing :
       {"", " \t\r\n", "\u00a0\u3000\u2003", "\u200b\ufeff", "\u3164\u2800", "\x01\x7f", "\u202e"}) {
    EXPECT_TRUE(shows_nothing(nothing)) << escape_foreign(nothing);
  }
  for (const char* something : {"a", " . ", "\u200bx", "\u4f60", "\U0001f600", "\xff"}) {
    EXPECT_FALSE(shows_nothing(something)) << escape_foreign(something);
  }
}

TEST(Trim, RemovesWhiteSpaceFromBothEnds) {
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim("  "), "");
}

}  // namespace
}  // namespace da
