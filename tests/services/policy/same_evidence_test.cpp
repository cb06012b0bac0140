#include "services/policy/same_evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/services/policy/steps.h"

namespace da::policy {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(SameEvidence, ANewChallengeIsNoDifference) {
  auto now = test::editor();
  now.set_challenge("another");
  EXPECT_FALSE(difference(test::write("x"), test::editor(), now));
  EXPECT_FALSE(difference(test::click(1, 1), test::editor(), now));
}

v1::Evidence on_canvas(char ink) {
  auto evidence = test::editor();
  evidence.clear_target_element();
  evidence.mutable_target_area()->set_width(48);
  evidence.mutable_target_area()->set_height(48);
  std::string look(48 * 48, '\xff');
  for (std::size_t at = 0; at < look.size(); at += 5) look[at] = ink;
  evidence.set_target_pixels(look);
  return evidence;
}

TEST(SameEvidence, WhereNoElementIsKnownTheLookCounts) {
  const auto approved = on_canvas('\0');
  auto now = approved;
  for (std::size_t row = 10; row < 30; ++row) (*now.mutable_target_pixels())[row * 48 + 20] = '\0';  // A caret.
  EXPECT_FALSE(difference(test::click(1, 1), approved, now));
  EXPECT_THAT(difference(test::click(1, 1), approved, on_canvas('\xff')).value(), HasSubstr("around the target"));
  now = approved;
  now.clear_target_pixels();
  EXPECT_TRUE(difference(test::click(1, 1), approved, now));
  now = approved;
  now.mutable_target_window()->mutable_bounds()->set_x(1);
  EXPECT_THAT(difference(test::click(1, 1), approved, now).value(), HasSubstr("moved"));
}

// A control of 200x60 whose inner part around the point shows `outlines` dark pixels of each five.
v1::Evidence on_control(int outlines) {
  auto evidence = on_canvas('\xff');
  *evidence.mutable_target_element() = test::element("push button", "Save");
  auto& bounds = *evidence.mutable_target_element()->mutable_bounds();
  bounds.set_x(100);
  bounds.set_y(100);
  bounds.set_width(200);
  bounds.set_height(60);
  evidence.mutable_target_area()->set_x(120);
  evidence.mutable_target_area()->set_y(106);
  for (std::size_t at = 0; at < evidence.target_pixels().size(); ++at) {
    if (at % 10 < static_cast<std::size_t>(outlines))
      (*evidence.mutable_target_pixels())[at] = at % 2 == 0 ? '\0' : '\xff';
  }
  return evidence;
}

// The look of a control with a name was not compared at all.
TEST(SameEvidence, AControlKeepsHalfOfItsOutlinesOrIsAnother) {
  const auto approved = on_control(8);
  EXPECT_FALSE(difference(test::click(144, 130), approved, on_control(6)));
  EXPECT_THAT(difference(test::click(144, 130), approved, on_control(0)).value(), HasSubstr("around the target"));
  auto lit = approved;
  for (char& level : *lit.mutable_target_pixels()) level = level == '\0' ? '\x40' : '\xd0';
  EXPECT_FALSE(difference(test::click(144, 130), approved, lit)) << "a hover changes colours, not outlines";
  auto unseen = approved;
  unseen.clear_target_pixels();
  EXPECT_TRUE(difference(test::click(144, 130), approved, unseen));
}

TEST(SameEvidence, AControlMayMoveAndIsComparedWhereItIsNow) {
  const auto approved = on_control(8);
  auto moved = approved;
  moved.mutable_target_element()->mutable_bounds()->set_x(700);
  moved.mutable_target_area()->set_x(720);
  moved.mutable_target_window()->mutable_bounds()->set_x(600);
  EXPECT_FALSE(difference(test::click(144, 130), approved, moved));
  *moved.mutable_target_pixels() = on_control(0).target_pixels();
  EXPECT_TRUE(difference(test::click(144, 130), approved, moved));
}

// The point stays, so another part of the control is under it.
TEST(SameEvidence, AControlThatMovedUnderThePointIsComparedWhereBothLooksShowIt) {
  const auto approved = on_control(8);
  auto moved = approved;
  moved.mutable_target_element()->mutable_bounds()->set_x(110);
  std::string look;
  for (std::size_t row = 0; row < 48; ++row) {
    look += std::string(10, '\x80') + approved.target_pixels().substr(row * 48, 38);
  }
  moved.set_target_pixels(look);
  EXPECT_FALSE(difference(test::click(144, 130), approved, moved));
  moved.mutable_target_element()->mutable_bounds()->set_x(2'000'000'000);
  EXPECT_FALSE(difference(test::click(144, 130), approved, moved)) << "no part of it is seen twice";
}

v1::Evidence at_check_box(std::initializer_list<v1::UiState> states) {
  auto evidence = test::editor();
  *evidence.mutable_target_element() = test::element("check box", "Encrypt");
  for (const auto state : states) evidence.mutable_target_element()->add_states(state);
  return evidence;
}

// "Encrypt" was approved to be checked, had been checked by then, and was unchecked.
TEST(SameEvidence, TheStatesThatDecideWhatAClickDoesAreCompared) {
  const auto approved = at_check_box({v1::UI_STATE_ENABLED});
  EXPECT_THAT(
      difference(test::click(1, 1), approved, at_check_box({v1::UI_STATE_ENABLED, v1::UI_STATE_CHECKED})).value(),
      HasSubstr("the target, a check box, was off and is now on"));
  EXPECT_THAT(difference(test::click(1, 1), approved, at_check_box({})).value(),
              HasSubstr("was enabled and is now disabled"));
  for (const auto state : {v1::UI_STATE_EDITABLE, v1::UI_STATE_PASSWORD, v1::UI_STATE_EXPANDED}) {
    EXPECT_TRUE(difference(test::ui_click("e"), approved, at_check_box({v1::UI_STATE_ENABLED, state}))) << state;
  }
}

TEST(SameEvidence, FocusSelectionAndHoverOfAClickedElementDoNotMatter) {
  const auto approved = at_check_box({v1::UI_STATE_ENABLED});
  EXPECT_FALSE(difference(test::click(1, 1), approved,
                          at_check_box({v1::UI_STATE_ENABLED, v1::UI_STATE_FOCUSED, v1::UI_STATE_SELECTED,
                                        v1::UI_STATE_FOCUSABLE, v1::UI_STATE_SCROLLED_OUT})));
  auto menu = approved;
  menu.mutable_target_element()->set_role("menu");
  auto hovered = menu;
  hovered.mutable_target_element()->add_states(v1::UI_STATE_EXPANDED);
  EXPECT_FALSE(difference(test::click(1, 1), menu, hovered));
}

TEST(SameEvidence, KeysAndDragsDependOnWhatIsSelected) {
  auto approved = test::editor();
  *approved.mutable_focused_element() = test::element("list item", "report.txt");
  *approved.mutable_target_element() = approved.focused_element();
  auto now = approved;
  now.mutable_focused_element()->add_states(v1::UI_STATE_SELECTED);
  EXPECT_TRUE(difference(test::press({"delete"}), approved, now));
  EXPECT_FALSE(difference(test::click(1, 1), approved, now));
  now = approved;
  now.mutable_target_element()->add_states(v1::UI_STATE_SELECTED);
  v1::Action drag;
  drag.mutable_drag()->add_path()->set_x(1);
  EXPECT_TRUE(difference(drag, approved, now));
}

TEST(SameEvidence, TypingNeedsAFieldInTheSameState) {
  auto approved = test::editor();
  approved.mutable_focused_element()->add_states(v1::UI_STATE_EDITABLE);
  EXPECT_THAT(difference(test::write("x"), approved, test::editor()).value(),
              HasSubstr("was editable and is now read-only"));
}

TEST(SameEvidence, AnotherFileUnderTheSamePathCounts) {
  auto approved = test::program("/usr/bin/ls", {"ls"});
  approved.set_file_identity("one");
  auto now = approved;
  EXPECT_FALSE(difference(test::launch("ls"), approved, now));
  now.set_file_identity("two");
  EXPECT_TRUE(difference(test::launch("ls"), approved, now));
}

TEST(SameEvidence, TypingNeedsTheSameWindowProcessAndElement) {
  const auto approved = test::editor();
  auto now = approved;
  *now.mutable_foreground() = test::window("Bank", "/usr/bin/firefox", 7);
  EXPECT_THAT(difference(test::write("x"), approved, now).value(),
              HasSubstr("the foreground window was one of mousepad and is now one of firefox"));
  now = approved;
  now.mutable_foreground()->set_process_start(8);
  EXPECT_TRUE(difference(test::write("x"), approved, now));
  now = approved;
  now.mutable_focused_element()->set_element_id("other");
  EXPECT_TRUE(difference(test::write("x"), approved, now));
  now = approved;
  now.mutable_focused_element()->add_states(v1::UI_STATE_PASSWORD);
  EXPECT_TRUE(difference(test::write("x"), approved, now));
  now = approved;
  now.clear_foreground();
  EXPECT_THAT(difference(test::write("x"), approved, now).value(), HasSubstr("is now none"));
}

TEST(SameEvidence, AClickDependsOnWhatIsUnderItAndNotOnWhatIsInFront) {
  const auto approved = test::editor();
  auto now = approved;
  *now.mutable_foreground() = test::window("approver", "/usr/bin/xterm", 7);
  now.clear_focused_element();
  EXPECT_FALSE(difference(test::click(1, 1), approved, now));
  now.mutable_target_element()->set_name("Delete");
  EXPECT_TRUE(difference(test::click(1, 1), approved, now));
  now = approved;
  now.mutable_target_window()->set_pid(9);
  EXPECT_TRUE(difference(test::click(1, 1), approved, now));
}

TEST(SameEvidence, TheTitleCountsWhereNoElementIsKnown) {
  auto approved = test::editor();
  auto now = approved;
  now.mutable_foreground()->set_title("Another page");
  EXPECT_FALSE(difference(test::write("x"), approved, now));
  approved.clear_focused_element();
  now.clear_focused_element();
  EXPECT_THAT(difference(test::write("x"), approved, now).value(), HasSubstr("the title of the window has changed"));
}

// What differs is told to the planner, from whom a mask may hide titles and names.
TEST(SameEvidence, NoTitleAndNoNameIsSaid) {
  const auto approved = test::editor();
  auto now = approved;
  *now.mutable_foreground() = test::window("Secret title", "", 7);
  auto said = difference(test::write("x"), approved, now).value();
  EXPECT_EQ(said, "the foreground window was one of mousepad and is now one of an unknown program");
  now = approved;
  now.mutable_focused_element()->set_name("Secret name");
  said = difference(test::write("x"), approved, now).value();
  EXPECT_THAT(said, Not(HasSubstr("Secret name")));
  EXPECT_THAT(said, Not(HasSubstr(approved.focused_element().name())));
}

TEST(SameEvidence, PathsAndArgumentListsMustNotChange) {
  const auto approved = test::program("/usr/bin/dash", {"sh", "-c", "ls"});
  EXPECT_TRUE(difference(test::launch("sh"), approved, test::program("/usr/bin/bash", {"sh", "-c", "ls"})));
  EXPECT_TRUE(difference(test::launch("sh"), approved, test::program("/usr/bin/dash", {"sh", "-c", "rm"})));
  EXPECT_FALSE(difference(test::launch("sh"), approved, approved));
}

TEST(SameEvidence, ForeignTextIsEscaped) {
  auto now = test::editor();
  *now.mutable_foreground() = test::window("x", "/bin/\x1b[2Jx", 7);
  EXPECT_THAT(difference(test::write("x"), test::editor(), now).value(), HasSubstr("\\x1b"));
}

}  // namespace
}  // namespace da::policy
