#include "lib/contract/evidence/staleness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/services/policy/steps.h"

namespace da::contract {
namespace {

using testing::HasSubstr;
using testing::Not;

// After an approval, unless a test says otherwise.
std::optional<std::string> difference(const v1::Action& action, const v1::Evidence& before, const v1::Evidence& now,
                                      SeenAt seen_at = SeenAt::kApproval) {
  return staleness(action, before, now, seen_at);
}

TEST(Staleness, NewChallengeIsNotStale) {
  auto now = policy::test::editor();
  now.set_challenge("another");
  EXPECT_FALSE(difference(policy::test::write("x"), policy::test::editor(), now));
  EXPECT_FALSE(difference(policy::test::click(1, 1), policy::test::editor(), now));
}

TEST(Staleness, KeysAreStaleOnceAnotherWindowTookTheKeyboard) {
  auto now = policy::test::editor();
  now.set_took_keyboard(true);
  EXPECT_TRUE(difference(policy::test::write("x"), policy::test::editor(), now));
  EXPECT_FALSE(difference(policy::test::click(1, 1), policy::test::editor(), now));
}

v1::Evidence on_canvas(char ink) {
  auto evidence = policy::test::editor();
  evidence.clear_target_element();
  evidence.mutable_target_area()->set_width(48);
  evidence.mutable_target_area()->set_height(48);
  std::string look(48 * 48, '\xff');
  for (std::size_t at = 0; at < look.size(); at += 5) look[at] = ink;
  evidence.set_target_pixels(look);
  return evidence;
}

TEST(Staleness, LookIsComparedWithoutKnownElement) {
  const auto approved = on_canvas('\0');
  auto now = approved;
  for (std::size_t row = 10; row < 30; ++row) (*now.mutable_target_pixels())[row * 48 + 20] = '\0';  // A caret.
  EXPECT_FALSE(difference(policy::test::click(1, 1), approved, now));
  EXPECT_THAT(difference(policy::test::click(1, 1), approved, on_canvas('\xff')).value(),
              HasSubstr("around the target"));
  now = approved;
  now.clear_target_pixels();
  EXPECT_TRUE(difference(policy::test::click(1, 1), approved, now));
  now = approved;
  now.mutable_target_window()->mutable_bounds()->set_x(1);
  EXPECT_THAT(difference(policy::test::click(1, 1), approved, now).value(), HasSubstr("moved"));
}

// A control of 200x60. Around the point, `outlines` of each five pixels are dark.
v1::Evidence on_control(int outlines) {
  auto evidence = on_canvas('\xff');
  *evidence.mutable_target_element() = policy::test::element("push button", "Save");
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

// Regression: the look of a named control was not compared.
TEST(Staleness, ControlMustKeepHalfOfItsOutlines) {
  const auto approved = on_control(8);
  EXPECT_FALSE(difference(policy::test::click(144, 130), approved, on_control(6)));
  EXPECT_THAT(difference(policy::test::click(144, 130), approved, on_control(0)).value(),
              HasSubstr("around the target"));
  auto lit = approved;
  for (char& level : *lit.mutable_target_pixels()) level = level == '\0' ? '\x40' : '\xd0';
  EXPECT_FALSE(difference(policy::test::click(144, 130), approved, lit)) << "a hover changes colours, not outlines";
  auto unseen = approved;
  unseen.clear_target_pixels();
  EXPECT_TRUE(difference(policy::test::click(144, 130), approved, unseen));
}

TEST(Staleness, MovedControlIsComparedAtItsNewPlace) {
  const auto approved = on_control(8);
  auto moved = approved;
  moved.mutable_target_element()->mutable_bounds()->set_x(700);
  moved.mutable_target_area()->set_x(720);
  moved.mutable_target_window()->mutable_bounds()->set_x(600);
  EXPECT_FALSE(difference(policy::test::click(144, 130), approved, moved));
  *moved.mutable_target_pixels() = on_control(0).target_pixels();
  EXPECT_TRUE(difference(policy::test::click(144, 130), approved, moved));
}

// The point stays, so it is over another part of the control.
TEST(Staleness, ControlMovedUnderThePointIsComparedInTheOverlap) {
  const auto approved = on_control(8);
  auto moved = approved;
  moved.mutable_target_element()->mutable_bounds()->set_x(110);
  std::string look;
  for (std::size_t row = 0; row < 48; ++row) {
    look += std::string(10, '\x80') + approved.target_pixels().substr(row * 48, 38);
  }
  moved.set_target_pixels(look);
  EXPECT_FALSE(difference(policy::test::click(144, 130), approved, moved));
  moved.mutable_target_element()->mutable_bounds()->set_x(2'000'000'000);
  EXPECT_FALSE(difference(policy::test::click(144, 130), approved, moved)) << "no part of it is seen twice";
}

v1::Evidence at_check_box(std::initializer_list<v1::UiState> states) {
  auto evidence = policy::test::editor();
  *evidence.mutable_target_element() = policy::test::element("check box", "Encrypt");
  for (const auto state : states) evidence.mutable_target_element()->add_states(state);
  return evidence;
}

// Regression: a person approved to check "Encrypt"; it had been checked meanwhile, and the click unchecked it.
TEST(Staleness, StatesThatChangeAClicksEffectAreCompared) {
  const auto approved = at_check_box({v1::UI_STATE_ENABLED});
  EXPECT_THAT(
      difference(policy::test::click(1, 1), approved, at_check_box({v1::UI_STATE_ENABLED, v1::UI_STATE_CHECKED}))
          .value(),
      HasSubstr("the target, a check box, was off and is now on"));
  EXPECT_THAT(difference(policy::test::click(1, 1), approved, at_check_box({})).value(),
              HasSubstr("was enabled and is now disabled"));
  for (const auto state : {v1::UI_STATE_EDITABLE, v1::UI_STATE_PASSWORD, v1::UI_STATE_EXPANDED}) {
    EXPECT_TRUE(difference(policy::test::ui_click("e"), approved, at_check_box({v1::UI_STATE_ENABLED, state})))
        << state;
  }
}

TEST(Staleness, FocusSelectionAndHoverOfClickedElementAreIgnored) {
  const auto approved = at_check_box({v1::UI_STATE_ENABLED});
  EXPECT_FALSE(difference(policy::test::click(1, 1), approved,
                          at_check_box({v1::UI_STATE_ENABLED, v1::UI_STATE_FOCUSED, v1::UI_STATE_SELECTED,
                                        v1::UI_STATE_FOCUSABLE, v1::UI_STATE_SCROLLED_OUT})));
  auto menu = approved;
  menu.mutable_target_element()->set_role("menu");
  auto hovered = menu;
  hovered.mutable_target_element()->add_states(v1::UI_STATE_EXPANDED);
  EXPECT_FALSE(difference(policy::test::click(1, 1), menu, hovered));
}

TEST(Staleness, KeysAndDragsDependOnSelection) {
  auto approved = policy::test::editor();
  *approved.mutable_focused_element() = policy::test::element("list item", "report.txt");
  *approved.mutable_target_element() = approved.focused_element();
  auto now = approved;
  now.mutable_focused_element()->add_states(v1::UI_STATE_SELECTED);
  EXPECT_TRUE(difference(policy::test::press({"delete"}), approved, now));
  EXPECT_FALSE(difference(policy::test::click(1, 1), approved, now));
  now = approved;
  now.mutable_target_element()->add_states(v1::UI_STATE_SELECTED);
  v1::Action drag;
  drag.mutable_drag()->add_path()->set_x(1);
  EXPECT_TRUE(difference(drag, approved, now));
}

TEST(Staleness, TypingNeedsFieldInSameState) {
  auto approved = policy::test::editor();
  approved.mutable_focused_element()->add_states(v1::UI_STATE_EDITABLE);
  EXPECT_THAT(difference(policy::test::write("x"), approved, policy::test::editor()).value(),
              HasSubstr("was editable and is now read-only"));
}

TEST(Staleness, OtherFileAtSamePathIsStale) {
  auto approved = policy::test::program("/usr/bin/ls", {"ls"});
  approved.set_file_identity("one");
  auto now = approved;
  EXPECT_FALSE(difference(policy::test::launch("ls"), approved, now));
  now.set_file_identity("two");
  EXPECT_TRUE(difference(policy::test::launch("ls"), approved, now));
}

TEST(Staleness, TypingNeedsSameWindowProcessAndElement) {
  const auto approved = policy::test::editor();
  auto now = approved;
  *now.mutable_foreground() = policy::test::window("Bank", "/usr/bin/firefox", 7);
  EXPECT_THAT(difference(policy::test::write("x"), approved, now).value(),
              HasSubstr("the foreground window was one of mousepad and is now one of firefox"));
  now = approved;
  now.mutable_foreground()->set_process_start(8);
  EXPECT_TRUE(difference(policy::test::write("x"), approved, now));
  now = approved;
  now.mutable_focused_element()->set_element_id("other");
  EXPECT_TRUE(difference(policy::test::write("x"), approved, now));
  now = approved;
  now.mutable_focused_element()->add_states(v1::UI_STATE_PASSWORD);
  EXPECT_TRUE(difference(policy::test::write("x"), approved, now));
  now = approved;
  now.clear_foreground();
  EXPECT_THAT(difference(policy::test::write("x"), approved, now).value(), HasSubstr("is now none"));
}

TEST(Staleness, ClickDependsOnTargetNotOnForegroundWindow) {
  const auto approved = policy::test::editor();
  auto now = approved;
  *now.mutable_foreground() = policy::test::window("approver", "/usr/bin/xterm", 7);
  now.clear_focused_element();
  EXPECT_FALSE(difference(policy::test::click(1, 1), approved, now));
  now.mutable_target_element()->set_name("Delete");
  EXPECT_TRUE(difference(policy::test::click(1, 1), approved, now));
  now = approved;
  now.mutable_target_window()->set_pid(9);
  EXPECT_TRUE(difference(policy::test::click(1, 1), approved, now));
}

TEST(Staleness, TitleIsComparedWithoutKnownElement) {
  auto approved = policy::test::editor();
  auto now = approved;
  now.mutable_foreground()->set_title("Another page");
  EXPECT_FALSE(difference(policy::test::write("x"), approved, now));
  approved.clear_focused_element();
  now.clear_focused_element();
  EXPECT_THAT(difference(policy::test::write("x"), approved, now).value(),
              HasSubstr("the title of the window has changed"));
}

// The planner gets the reason, and a mask may hide titles and names from it.
TEST(Staleness, ReasonContainsNoTitlesAndNames) {
  const auto approved = policy::test::editor();
  auto now = approved;
  *now.mutable_foreground() = policy::test::window("Secret title", "", 7);
  auto said = difference(policy::test::write("x"), approved, now).value();
  EXPECT_EQ(said, "the foreground window was one of mousepad and is now one of an unknown program");
  now = approved;
  now.mutable_focused_element()->set_name("Secret name");
  said = difference(policy::test::write("x"), approved, now).value();
  EXPECT_THAT(said, Not(HasSubstr("Secret name")));
  EXPECT_THAT(said, Not(HasSubstr(approved.focused_element().name())));
}

TEST(Staleness, PathsAndArgumentListsMustNotChange) {
  const auto approved = policy::test::program("/usr/bin/dash", {"sh", "-c", "ls"});
  EXPECT_TRUE(
      difference(policy::test::launch("sh"), approved, policy::test::program("/usr/bin/bash", {"sh", "-c", "ls"})));
  EXPECT_TRUE(
      difference(policy::test::launch("sh"), approved, policy::test::program("/usr/bin/dash", {"sh", "-c", "rm"})));
  EXPECT_FALSE(difference(policy::test::launch("sh"), approved, approved));
}

TEST(Staleness, ForeignTextIsEscaped) {
  auto now = policy::test::editor();
  *now.mutable_foreground() = policy::test::window("x", "/bin/\x1b[2Jx", 7);
  EXPECT_THAT(difference(policy::test::write("x"), policy::test::editor(), now).value(), HasSubstr("\\x1b"));
}

v1::Evidence at_button() {
  auto evidence = on_control(6);
  evidence.mutable_target_point()->set_x(144);
  evidence.mutable_target_point()->set_y(130);
  return evidence;
}

std::optional<std::string> since_prepare(const v1::Action& action, const v1::Evidence& before,
                                         const v1::Evidence& now) {
  return difference(action, before, now, SeenAt::kPrepare);
}

TEST(Staleness, PointedControlMayMoveByTwoPixelsSincePrepare) {
  const auto prepared = at_button();
  auto now = prepared;
  now.mutable_target_element()->mutable_bounds()->set_x(102);
  EXPECT_FALSE(since_prepare(policy::test::click(144, 130), prepared, now));
  now.mutable_target_element()->mutable_bounds()->set_x(103);
  EXPECT_EQ(since_prepare(policy::test::click(144, 130), prepared, now), "the target has moved");
  EXPECT_FALSE(difference(policy::test::click(144, 130), prepared, now)) << "a person may take minutes";
}

TEST(Staleness, ElementClickedByNameMustNotBeCovered) {
  const auto prepared = at_button();
  auto now = prepared;
  *now.mutable_cover_window() = policy::test::window("Dialog", "/usr/bin/other", 8);
  EXPECT_TRUE(since_prepare(policy::test::ui_click("e"), prepared, now));
  EXPECT_FALSE(since_prepare(policy::test::click(144, 130), prepared, now)) << "there it is the target window";
}

TEST(Staleness, ElementScrolledIntoViewMayMove) {
  auto prepared = at_button();
  prepared.mutable_target_element()->add_states(v1::UI_STATE_SCROLLED_OUT);
  auto now = prepared;
  now.mutable_target_point()->set_y(400);
  EXPECT_FALSE(since_prepare(policy::test::ui_click("e"), prepared, now));
  now.mutable_target_element()->clear_states();
  prepared.mutable_target_element()->clear_states();
  EXPECT_EQ(since_prepare(policy::test::ui_click("e"), prepared, now), "the target has moved");
}

TEST(Staleness, LookAtDragEndIsComparedSincePrepare) {
  v1::Action drag;
  drag.mutable_drag();
  auto prepared = at_button();
  *prepared.mutable_drop_window() = policy::test::window("Canvas", "/usr/bin/paint", 9);
  prepared.set_drop_pixels(std::string(48 * 48, '\xff'));
  prepared.mutable_drop_area()->set_width(48);
  prepared.mutable_drop_area()->set_height(48);
  auto now = prepared;
  EXPECT_FALSE(since_prepare(drag, prepared, now));
  now.set_drop_pixels(std::string(48 * 48, '\0'));
  EXPECT_EQ(since_prepare(drag, prepared, now), "the screen where the drag ends has changed");
}

TEST(Staleness, ElementWithoutIdIsAlwaysStale) {
  auto prepared = at_button();
  prepared.mutable_target_element()->clear_element_id();
  EXPECT_TRUE(since_prepare(policy::test::click(144, 130), prepared, prepared));
}

TEST(Staleness, TopLevelMayBeRenamedOnlySincePrepare) {
  auto prepared = at_button();
  prepared.mutable_target_element()->set_role("frame");
  prepared.mutable_target_element()->set_name("Draft");
  auto now = prepared;
  now.mutable_target_element()->set_name("Draft (saved)");
  EXPECT_FALSE(since_prepare(policy::test::click(144, 130), prepared, now));
  EXPECT_TRUE(difference(policy::test::click(144, 130), prepared, now));
}

}  // namespace
}  // namespace da::contract
