#include "services/policy/typing_history.h"

#include <gtest/gtest.h>

#include "lib/base/text.h"
#include "tests/services/policy/steps.h"

namespace da::policy {
namespace {

v1::Evidence at(const std::string& window, const std::string& element = "") {
  v1::Evidence evidence;
  evidence.mutable_foreground()->set_window_id(window);
  if (!element.empty()) evidence.mutable_focused_element()->set_element_id(element);
  return evidence;
}

class TypingHistoryTest : public testing::Test {
 protected:
  std::string text(const v1::Evidence& evidence) const { return history_.before("t", evidence).text; }
  void type(const std::string& text, const v1::Evidence& evidence) { history_.add("t", test::write(text), evidence); }
  TypingHistory history_;
};

TEST_F(TypingHistoryTest, JoinsWhatWasTypedIntoOneField) {
  type("r", at("w", "field"));
  type("m -rf", at("w", "field"));
  EXPECT_EQ(text(at("w", "field")), "rm -rf");
  EXPECT_EQ(text(at("w", "other")), "");
  EXPECT_EQ(text(at("v", "field")), "");
  EXPECT_EQ(history_.before("another task", at("w", "field")).text, "");
}

TEST_F(TypingHistoryTest, KeysTypeToo) {
  history_.add("t", test::press({"r", "m", "space"}), at("w"));
  history_.add("t", test::hotkey({"shift", "X"}), at("w"));
  history_.add("t", test::hotkey({"ctrl", "s"}), at("w"));
  history_.add("t", test::press({"f5", "left", "backspace"}), at("w"));
  EXPECT_EQ(text(at("w")), "rm X\b");
}

// Else a field could be typed into while its element is unknown, in between.
TEST_F(TypingHistoryTest, AnUnknownElementMayBeAnyInItsWindow) {
  type("r", at("w", "field"));
  type("m", at("w"));
  type(" -rf", at("w", "field"));
  EXPECT_EQ(text(at("w", "field")), "rm -rf");
  EXPECT_EQ(text(at("w", "other")), "m");
  EXPECT_EQ(text(at("w")), "rm -rf");
}

TEST_F(TypingHistoryTest, OtherWindowsInBetweenDoNotPartIt) {
  type("r", at("w", "field"));
  type("x", at("v", "field"));
  type("m", at("w", "field"));
  EXPECT_EQ(text(at("w", "field")), "rm");
}

TEST_F(TypingHistoryTest, IsBounded) {
  for (int i = 0; i < 500; ++i) type("漢字漢字漢字漢字", at("w" + std::to_string(i % 3), std::to_string(i)));
  for (int i = 0; i < 500; ++i) type("漢字漢字漢字漢字", at("w", "field"));
  const std::string kept = text(at("w", "field"));
  EXPECT_LE(kept.size(), 4'000U);
  EXPECT_TRUE(decode_utf8(kept));
}

TEST_F(TypingHistoryTest, ATaskThatEndedIsForgotten) {
  type("r", at("w"));
  history_.forget("t");
  EXPECT_EQ(text(at("w")), "");
}

TEST_F(TypingHistoryTest, AfterAChordThatOpensARunDialogTextIsACommand) {
  type("before", at("w"));
  for (const auto& chord : {test::hotkey({"win", "r"}), test::hotkey({"alt", "f2"}), test::press({"win"})}) {
    history_.add("t", chord, at("w"));
    EXPECT_TRUE(history_.before("t", at("v")).run_dialog.open);
    type("xdo", at("v"));
    type("tool", at("v"));
    EXPECT_EQ(history_.before("t", at("v")).run_dialog.command, "xdotool");
    history_.add("t", test::press({"enter"}), at("v"));
    EXPECT_FALSE(history_.before("t", at("w")).run_dialog.open);
  }
}

TEST_F(TypingHistoryTest, OnlyEscapeAndEnterLeaveARunDialog) {
  history_.add("t", test::hotkey({"win", "r"}), at("w"));
  for (const auto& action : {test::click(1, 1), test::ui_click("e"), test::launch("mousepad"), test::press({"down"})}) {
    history_.add("t", action, at("w"));
    EXPECT_TRUE(history_.before("t", at("w")).run_dialog.open) << action.ShortDebugString();
  }
  history_.add("t", test::press({"escape"}), at("w"));
  EXPECT_FALSE(history_.before("t", at("w")).run_dialog.open);
}

TEST_F(TypingHistoryTest, AWindowThatWasARunDialogStaysOne) {
  history_.add("t", test::hotkey({"win", "r"}), at("w"));
  type("nosuch\n", at("dialog"));
  EXPECT_TRUE(history_.before("t", at("dialog")).run_dialog.open);
  EXPECT_FALSE(history_.before("t", at("w")).run_dialog.open);
}

TEST(CarriedOut, IsThePartThatTheOutcomeTellsOf) {
  v1::Outcome outcome;
  outcome.set_done(2);
  outcome.set_total(4);
  EXPECT_EQ(typed_by(carried_out(test::write("漢字xy"), outcome)), "漢字");
  EXPECT_EQ(typed_by(carried_out(test::press({"a", "b", "c", "d"}), outcome)), "ab");
  outcome.set_done(0);
  EXPECT_EQ(typed_by(carried_out(test::write("漢字xy"), outcome)), "");
  // One that says nothing of how far it came may have done it all.
  EXPECT_EQ(typed_by(carried_out(test::write("漢字xy"), v1::Outcome())), "漢字xy");
}

TEST(WithoutErased, TakesCharactersNotBytes) {
  EXPECT_EQ(without_erased("rX\bm"), "rm");
  EXPECT_EQ(without_erased("a漢\bb"), "ab");
  EXPECT_EQ(without_erased("\b\bx"), "x");
}

}  // namespace
}  // namespace da::policy
