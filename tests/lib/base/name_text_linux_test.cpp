// Linux only: the static ICU of the Windows build has no data for normalization (docs/WINDOWS.md).
#include "lib/base/name_text.h"

#include <gtest/gtest.h>

namespace da {
namespace {

TEST(ComparableName, IsTheSameForNamesThatReadTheSame) {
  const std::pair<const char*, const char*> same[]{
      {"Cafe\u0301", "CAFÉ"},           {"Straße", "STRASSE"},   {"3 \u2212 1", "3 - 1"},
      {"A\u2013B\u2014C", "a-b-c"},     {"don\u2019t", "Don't"}, {"Save\u00a0 as", " save as "},
      {"\u200eNotes\u200f", "notes"},   {"Ｆｉｌｅ", "file"},    {"of\ufb01ce", "office"},
      {"co\u00adoperate", "cooperate"}, {"ΑΡΧΕΙΟΣ", "αρχειος"},  {"ФАЙЛ Ё", "файл е\u0308"},
      {"\u1112\u1161\u11ab", "한"},     {"カ\u3099", "ガ"},      {"a\nb\tc", "A B C"}};
  for (const auto& [one, other] : same) {
    EXPECT_EQ(comparable_name(one), comparable_name(other)) << one;
    EXPECT_TRUE(is_same_name(one, other)) << one;
  }
}

TEST(ComparableName, IsAnotherForNamesThatReadDifferently) {
  for (const auto& [one, other] : {std::pair("cafe", "café"), {"a-b", "a b"}, {"ab", "a b"}, {"1", "11"}}) {
    EXPECT_FALSE(is_same_name(one, other)) << one;
  }
}

TEST(WithoutAccents, KeepsTheLetters) {
  const std::pair<const char*, const char*> names[]{
      {"Übernehmen", "Ubernehmen"}, {"Zażółć", "Zazołc"}, {"Cafe\u0301", "Cafe"}, {"й", "и"},
      {"Straße", "Straße"},         {"OK", "OK"},         {"한", "한"},           {"\xff", "\xff"}};
  for (const auto& [with, without] : names) EXPECT_EQ(without_accents(with), without) << with;
}

TEST(ComparableName, KeepsBytesThatAreNotUtf8) {
  EXPECT_EQ(comparable_name("A\xff"), "A\xff");
  EXPECT_NE(comparable_name("A\xff"), comparable_name("A\xfe"));
}

TEST(NameContains, FindsAPartOfATitle) {
  EXPECT_TRUE(name_contains("UNTITLED - Mousepad", "mousePAD"));
  EXPECT_TRUE(name_contains("Cafe\u0301 \u2014 Editor", "café - ed"));
  EXPECT_TRUE(name_contains("any", ""));
  EXPECT_FALSE(name_contains("abc", "abd"));
}

TEST(NameContains, FindsNothingByAPartThatShowsNothing) {
  EXPECT_FALSE(name_contains("Save as", " "));
  EXPECT_FALSE(name_contains("Save as", "\u200b"));
  EXPECT_FALSE(is_same_name("\u200b", ""));
}

TEST(TitleFit, PutsTheExactTitleFirst) {
  EXPECT_EQ(title_fit("Notes", "Notes"), TitleFit::kExact);
  EXPECT_EQ(title_fit("NOTES", "Notes"), TitleFit::kSameName);
  EXPECT_EQ(title_fit("Notes - backup", "Notes"), TitleFit::kContains);
  EXPECT_EQ(title_fit("Note", "Notes"), TitleFit::kNo);
  EXPECT_LT(TitleFit::kContains, TitleFit::kSameName);
  EXPECT_LT(TitleFit::kSameName, TitleFit::kExact);
}

TEST(Composed, JoinsAccentsWithTheirLetters) {
  EXPECT_EQ(composed("Cafe\u0301"), "Café");
  EXPECT_EQ(composed("Straße\xff"), "Straße\xff");
}

}  // namespace
}  // namespace da
