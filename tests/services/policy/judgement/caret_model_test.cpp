#include "services/policy/judgement/caret_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/services/policy/steps.h"

namespace da::policy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> after(const std::vector<v1::Action>& actions) {
  std::string strokes;
  for (const auto& action : actions) strokes += strokes_of(action);
  return texts_of(strokes);
}

TEST(CaretModel, TextFollowsCaretMoves) {
  EXPECT_THAT(after({test::write("-rf ~"), test::press({"home"}), test::write("rm ")}), ElementsAre("rm -rf ~"));
  EXPECT_THAT(after({test::write("漢x字"), test::press({"left", "backspace"})}), ElementsAre("漢字"));
  EXPECT_THAT(after({test::write("ab"), test::press({"left", "left", "left", "delete", "end", "c"})}),
              ElementsAre("bc"));
  EXPECT_THAT(after({test::write("one\ntwo"), test::press({"home"}), test::write("x")}), ElementsAre("one\nxtwo"));
}

TEST(CaretModel, SelectAllHasTwoMeanings) {
  EXPECT_THAT(after({test::write("-rf"), test::hotkey({"ctrl", "a"}), test::write("rm ")}),
              ElementsAre("rm ", "rm -rf"));
  EXPECT_THAT(after({test::write("ab"), test::hotkey({"ctrl", "a"}), test::press({"delete"}), test::write("c")}),
              ElementsAre("c", "cb"));
}

TEST(CaretModel, TypedControlCharactersAreNotKeys) {
  EXPECT_THAT(after({test::write("a\x11\x13\x16z")}), ElementsAre("az"));
  EXPECT_EQ(typed_of(strokes_of(test::press({"a", "left", "backspace"}))), "a\b");
}

TEST(CaretModel, SettledStrokesKeepTextAndCaret) {
  std::vector<std::string> keys = {"a", "漢", "\n"};
  for (const char* key : {"backspace", "delete", "left", "right", "home", "end", "z"}) {
    keys.push_back(strokes_of(test::press({key})));
  }
  keys.push_back(strokes_of(test::hotkey({"ctrl", "a"})));
  std::mt19937 random(1);
  const auto some = [&](std::size_t at_most) {
    std::string strokes;
    for (auto left = random() % at_most; left > 0; --left) strokes += keys[random() % keys.size()];
    return strokes;
  };
  for (int round = 0; round < 2'000; ++round) {
    const std::string before = some(60);
    const std::string after = some(20);
    const auto texts = texts_of(before + after);
    const auto replaced = settled(before, SelectAll::kReplacesAll, 1'000);
    const auto gone_home = settled(before, SelectAll::kGoesHome, 1'000);
    ASSERT_EQ(texts_of(replaced + after).front(), texts.front()) << round;
    ASSERT_EQ(texts_of(gone_home + after).back(), texts.back()) << round;
  }
}

TEST(CaretModel, SettledStrokesKeepTheEndOfALongText) {
  const std::string home = strokes_of(test::press({"home"}));
  EXPECT_EQ(settled("漢字abc", SelectAll::kReplacesAll, 5), "abc");
  EXPECT_THAT(texts_of(settled("abcdef" + home, SelectAll::kReplacesAll, 3) + "x"), ElementsAre("xdef"));
  std::string there_and_back = "ab";
  for (int i = 0; i < 1'000; ++i) there_and_back += strokes_of(test::press({"left", "right"}));
  EXPECT_EQ(settled(there_and_back, SelectAll::kGoesHome, 100), "ab");
}

TEST(CaretModel, InvalidUtf8HasNoTexts) { EXPECT_THAT(texts_of("\xff"), IsEmpty()); }

}  // namespace
}  // namespace da::policy
