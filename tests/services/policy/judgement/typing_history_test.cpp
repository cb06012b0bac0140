#include "services/policy/judgement/typing_history.h"

#include <gtest/gtest.h>

#include "lib/base/text.h"
#include "tests/services/policy/steps.h"

namespace da::policy {
namespace {

v1::Evidence field(const std::string& window, const std::string& element = "") {
  v1::Evidence evidence;
  evidence.mutable_foreground()->set_window_id(window);
  if (!element.empty()) evidence.mutable_focused_element()->set_element_id(element);
  return evidence;
}

class TypingHistoryTest : public testing::Test {
 protected:
  std::string text(const v1::Evidence& evidence) const { return history_.before(evidence).text; }
  void type(const std::string& text, const v1::Evidence& evidence) { history_.add(test::write(text), evidence); }
  TypingHistory history_;
};

TEST_F(TypingHistoryTest, TextTypedIntoOneFieldIsJoined) {
  type("r", field("w", "field"));
  type("m -rf", field("w", "field"));
  EXPECT_EQ(text(field("w", "field")), "rm -rf");
  EXPECT_EQ(text(field("w", "other")), "");
  EXPECT_EQ(text(field("v", "field")), "");
}

TEST_F(TypingHistoryTest, TypedKeysCountAsText) {
  history_.add(test::press({"r", "m", "space"}), field("w"));
  history_.add(test::hotkey({"shift", "X"}), field("w"));
  history_.add(test::hotkey({"ctrl", "s"}), field("w"));
  history_.add(test::press({"f5", "left", "backspace"}), field("w"));
  EXPECT_EQ(text(field("w")), "rm X\b");
}

// Otherwise a planner could type into a field while its element is unknown.
TEST_F(TypingHistoryTest, UnknownElementMatchesEveryElementOfItsWindow) {
  type("r", field("w", "field"));
  type("m", field("w"));
  type(" -rf", field("w", "field"));
  EXPECT_EQ(text(field("w", "field")), "rm -rf");
  EXPECT_EQ(text(field("w", "other")), "m");
  EXPECT_EQ(text(field("w")), "rm -rf");
}

TEST_F(TypingHistoryTest, TypingInAnotherWindowDoesNotSplitAField) {
  type("r", field("w", "field"));
  type("x", field("v", "field"));
  type("m", field("w", "field"));
  EXPECT_EQ(text(field("w", "field")), "rm");
}

TEST_F(TypingHistoryTest, MemoryIsBounded) {
  for (int i = 0; i < 500; ++i) type("漢字漢字漢字漢字", field("w" + std::to_string(i % 3), std::to_string(i)));
  for (int i = 0; i < 500; ++i) type("漢字漢字漢字漢字", field("w", "field"));
  const std::string kept = text(field("w", "field"));
  EXPECT_LE(kept.size(), 4'000U);
  EXPECT_TRUE(decode_utf8(kept));
}

TEST_F(TypingHistoryTest, TextAfterARunDialogChordIsACommand) {
  type("before", field("w"));
  for (const auto& chord : {test::hotkey({"win", "r"}), test::hotkey({"alt", "f2"}), test::press({"win"})}) {
    history_.add(chord, field("w"));
    EXPECT_TRUE(history_.before(field("v")).run_dialog.open);
    type("xdo", field("v"));
    type("tool", field("v"));
    EXPECT_EQ(history_.before(field("v")).run_dialog.command, "xdotool");
    history_.add(test::press({"enter"}), field("v"));
    EXPECT_FALSE(history_.before(field("w")).run_dialog.open);
  }
}

TEST_F(TypingHistoryTest, OnlyEscapeAndEnterCloseARunDialog) {
  history_.add(test::hotkey({"win", "r"}), field("w"));
  for (const auto& action : {test::click(1, 1), test::ui_click("e"), test::launch("mousepad"), test::press({"down"})}) {
    history_.add(action, field("w"));
    EXPECT_TRUE(history_.before(field("w")).run_dialog.open) << action.ShortDebugString();
  }
  history_.add(test::press({"escape"}), field("w"));
  EXPECT_FALSE(history_.before(field("w")).run_dialog.open);
}

TEST_F(TypingHistoryTest, RunDialogWindowStaysARunDialog) {
  history_.add(test::hotkey({"win", "r"}), field("w"));
  type("nosuch\n", field("dialog"));
  EXPECT_TRUE(history_.before(field("dialog")).run_dialog.open);
  EXPECT_FALSE(history_.before(field("w")).run_dialog.open);
}

TEST(CarriedOut, KeepsOnlyThePartThatTheOutcomeReports) {
  v1::Outcome outcome;
  outcome.set_done(2);
  outcome.set_total(4);
  EXPECT_EQ(typed_by(carried_out(test::write("漢字xy"), outcome)), "漢字");
  EXPECT_EQ(typed_by(carried_out(test::press({"a", "b", "c", "d"}), outcome)), "ab");
  outcome.set_done(0);
  EXPECT_EQ(typed_by(carried_out(test::write("漢字xy"), outcome)), "");
  // An outcome without progress may have done everything.
  EXPECT_EQ(typed_by(carried_out(test::write("漢字xy"), v1::Outcome())), "漢字xy");
}

TEST(WithoutErased, BackspaceErasesWholeCharacters) {
  EXPECT_EQ(without_erased("rX\bm"), "rm");
  EXPECT_EQ(without_erased("a漢\bb"), "ab");
  EXPECT_EQ(without_erased("\b\bx"), "x");
}

}  // namespace
}  // namespace da::policy
