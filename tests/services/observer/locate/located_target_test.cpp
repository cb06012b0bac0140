#include "services/observer/locate/located_target.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <utility>

namespace da::observer {
namespace {

TEST(TargetTest, RoleWordsBeforeAndAfterTheNameNarrowTheRole) {
  for (const char* query :
       {"Save button", "button Save", "the Save button", "Save push button", "the button \"Save\""}) {
    const LocatedTarget target = parse_target(query);
    EXPECT_EQ(target.name, "Save") << query;
    EXPECT_EQ(target.kind.wish, RoleWish::kButton) << query;
  }
  EXPECT_EQ(parse_target("Name field").kind.wish, RoleWish::kField);
  EXPECT_EQ(parse_target("Wrap lines check box").kind.wish, RoleWish::kCheckBox);
  EXPECT_EQ(parse_target("menu item Open").name, "Open");
}

TEST(TargetTest, RoleWordAloneHasNoName) {
  const LocatedTarget target = parse_target("the text field");
  EXPECT_EQ(target.name, "");
  EXPECT_EQ(target.kind.wish, RoleWish::kField);
}

TEST(TargetTest, QuotedNameHasNoRoleWords) {
  const LocatedTarget target = parse_target("\"Save button\"");
  EXPECT_EQ(target.name, "Save button");
  EXPECT_EQ(target.kind.wish, RoleWish::kAny);
}

TEST(TargetTest, WordsThatOnlyContainARoleWordAreNames) {
  EXPECT_EQ(parse_target("Buttonhole").kind.wish, RoleWish::kAny);
  EXPECT_EQ(parse_target("Database").name, "Database");
}

TEST(TargetTest, DecorationOfNamesIsIgnored) {
  EXPECT_EQ(plain_name("_Save"), "Save");
  EXPECT_EQ(plain_name("Save &As..."), "Save As");
  EXPECT_EQ(plain_name("1 1"), "1");
  EXPECT_EQ(plain_name("square root square root"), "square root");
  EXPECT_EQ(plain_name("Name:"), "Name");
  EXPECT_EQ(plain_name("Open…"), "Open");
  EXPECT_EQ(plain_name("Don’t “save”\u00a0– yet"), "Don't \"save\" - yet");
  EXPECT_EQ(plain_name("  File \n name "), "File name");
  EXPECT_EQ(plain_name("my_file_name"), "my_file_name");
  EXPECT_EQ(plain_name("Drag & drop"), "Drag & drop");
  EXPECT_EQ(plain_name(":"), ":");
}

TEST(TargetTest, ScoresRankExactOverDecoratedOverCaseOverWord) {
  const double exact = name_score("Save", "Save");
  const double decorated = name_score("_Save...", "Save");
  const double folded = name_score("SAVE", "Save");
  const double word = name_score("Save As", "save");
  EXPECT_EQ(exact, 1.0);
  EXPECT_GT(exact, decorated);
  EXPECT_GT(decorated, folded);
  EXPECT_GT(folded, word);
  EXPECT_GT(word, 0);
  EXPECT_EQ(name_score("Cancel", "Save"), 0);
  EXPECT_EQ(name_score("", "Save"), 0);
  EXPECT_EQ(name_score("Save", " "), 0);
}

TEST(TargetTest, PieceOfAWordDoesNotMatch) {
  for (const auto& [name, wanted] : {std::pair{"Disagree", "Agree"},
                                     {"Book now", "OK"},
                                     {"Book now", "No"},
                                     {"Reopen", "Open"},
                                     {"Unlock", "lock"},
                                     {"Unsaved", "save"},
                                     {"Notes", "No"},
                                     {"Settings", "Sett"},
                                     {"10", "1"},
                                     {"Öffnen", "ffnen"},
                                     {"Größe", "Gr"},
                                     {"Пересохранить", "сохранить"},
                                     {"Ανοίγω", "ανοίγ"},
                                     {"cafe\u0301", "cafe"},
                                     {"a\xff", "a"}}) {
    EXPECT_EQ(name_score(name, wanted), 0) << wanted << " in " << name;
  }
}

TEST(TargetTest, WholeWordsMatchAnywhereInAName) {
  for (const auto& [name, wanted] : {std::pair{"I agree to this", "agree"},
                                     {"Save As", "as"},
                                     {"*notes.txt - Editor", "notes.txt"},
                                     {"«Öffnen»", "öffnen"},
                                     {"Undo\u00a0all", "undo"},
                                     {"Save…now", "now"},
                                     {"Disagree or agree", "agree"},
                                     {"Go → back", "go"},
                                     {"Total: 3", "3"},
                                     {"C++ files", "C++"},
                                     {"Да, удалить", "удалить"}}) {
    const double score = name_score(name, wanted);
    EXPECT_GE(score, 0.7) << wanted << " in " << name;
    EXPECT_LT(score, 0.9) << wanted << " in " << name;
  }
}

TEST(TargetTest, PieceOfANameMatchesInScriptsWithoutSpaces) {
  for (const auto& [name, wanted] :
       {std::pair{"设置选项", "设置"}, {"ファイルを保存", "保存"}, {"บันทึกไฟล์", "ไฟล์"}, {"打开Wi-Fi", "wi-fi"}}) {
    const double score = name_score(name, wanted);
    EXPECT_GE(score, 0.4) << wanted << " in " << name;
    EXPECT_LT(score, 0.7) << wanted << " in " << name;
  }
}

TEST(TargetTest, NonAsciiNamesCompareWithoutCase) { EXPECT_EQ(name_score("ÄNDERN", "ändern"), 0.95); }

RC_GTEST_PROP(TargetProperty, ScoresAreBetweenZeroAndOneAndANameMatchesItself,
              (const std::string& a, const std::string& b)) {
  const double score = name_score(a, b);
  RC_ASSERT(score >= 0 && score <= 1);
  const auto ink = a.find_first_not_of(" \t\r\n");
  if (ink != std::string::npos) RC_ASSERT(name_score(a, a) == 1.0);
  parse_target(a);
}

TEST(NameScore, ASymbolMeansTheWordsOfItsName) {
  EXPECT_GE(name_score("Add", "+"), 0.9);
  EXPECT_GE(name_score("+", "add"), 0.9);
  EXPECT_GE(name_score("Close", "\u00d7"), 0.9);
  EXPECT_GE(name_score("Subtract", "\u2212"), 0.9);
  EXPECT_GE(name_score("minus", "-"), 0.9);
  EXPECT_LT(name_score("Add", "+"), name_score("+", "+"));
  EXPECT_EQ(name_score("Address", "+"), 0);
  EXPECT_EQ(name_score("Close", "x"), 0);
}

// Bug: `click "Delete"` on a page with a back arrow and "Delete file" went back, and "done".
TEST(NameScore, AWordThatASignMayMeanIsABetterNameThanTheSign) {
  EXPECT_GT(name_score("\u2190", "delete"), 0);
  EXPECT_LT(name_score("\u2190", "Delete"), name_score("Delete file", "Delete"));
  EXPECT_LT(name_score("\u00d7", "Clear"), name_score("Clear the whole browsing history", "Clear"));
  EXPECT_LT(name_score("\u25b6", "Next"), name_score("Next page", "Next"));
}

}  // namespace
}  // namespace da::observer
