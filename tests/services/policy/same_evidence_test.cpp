#include "services/policy/same_evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/services/policy/steps.h"

namespace da::policy {
namespace {

using testing::HasSubstr;

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

TEST(SameEvidence, AControlIsKnownByItsNameHoweverItLooks) {
  auto approved = on_canvas('\0');
  auto now = on_canvas('\xff');
  for (auto* evidence : {&approved, &now}) *evidence->mutable_target_element() = test::element("push button", "Save");
  EXPECT_FALSE(difference(test::click(1, 1), approved, now));
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
              HasSubstr("was \"Untitled - Mousepad\" (mousepad) and is now \"Bank\" (firefox)"));
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
  EXPECT_THAT(difference(test::write("x"), approved, now).value(), HasSubstr("Another page"));
}

TEST(SameEvidence, PathsAndArgumentListsMustNotChange) {
  const auto approved = test::program("/usr/bin/dash", {"sh", "-c", "ls"});
  EXPECT_TRUE(difference(test::launch("sh"), approved, test::program("/usr/bin/bash", {"sh", "-c", "ls"})));
  EXPECT_TRUE(difference(test::launch("sh"), approved, test::program("/usr/bin/dash", {"sh", "-c", "rm"})));
  EXPECT_FALSE(difference(test::launch("sh"), approved, approved));
}

TEST(SameEvidence, ForeignTextIsEscaped) {
  auto now = test::editor();
  *now.mutable_foreground() = test::window("\x1b[2Jx", "/bin/x", 7);
  EXPECT_THAT(difference(test::write("x"), test::editor(), now).value(), HasSubstr("\\x1b"));
}

}  // namespace
}  // namespace da::policy
