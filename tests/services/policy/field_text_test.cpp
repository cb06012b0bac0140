#include "services/policy/field_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(FieldText, FollowsTheCaret) {
  EXPECT_THAT(after({test::write("-rf ~"), test::press({"home"}), test::write("rm ")}), ElementsAre("rm -rf ~"));
  EXPECT_THAT(after({test::write("漢x字"), test::press({"left", "backspace"})}), ElementsAre("漢字"));
  EXPECT_THAT(after({test::write("ab"), test::press({"left", "left", "left", "delete", "end", "c"})}),
              ElementsAre("bc"));
  EXPECT_THAT(after({test::write("one\ntwo"), test::press({"home"}), test::write("x")}), ElementsAre("one\nxtwo"));
}

TEST(FieldText, SelectingAllIsTwoThings) {
  EXPECT_THAT(after({test::write("-rf"), test::hotkey({"ctrl", "a"}), test::write("rm ")}),
              ElementsAre("rm ", "rm -rf"));
  EXPECT_THAT(after({test::write("ab"), test::hotkey({"ctrl", "a"}), test::press({"delete"}), test::write("c")}),
              ElementsAre("c", "cb"));
}

TEST(FieldText, CharactersThatStandForKeysAreNotTyped) {
  EXPECT_THAT(after({test::write("a\x11\x13\x16z")}), ElementsAre("az"));
  EXPECT_EQ(typed_of(strokes_of(test::press({"a", "left", "backspace"}))), "a\b");
}

TEST(FieldText, BytesThatAreNoTextHaveNone) { EXPECT_THAT(texts_of("\xff"), IsEmpty()); }

}  // namespace
}  // namespace da::policy
