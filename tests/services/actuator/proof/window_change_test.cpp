// Which differences between two lists of windows are an effect of an action.
#include "services/actuator/proof/window_change.h"

#include <gtest/gtest.h>

namespace da::actuator {
namespace {

WindowInfo window(const std::string& id, std::uint32_t pid, bool focused = false) {
  WindowInfo info;
  info.id = id;
  info.pid = pid;
  info.title = "title of " + id;
  info.bounds = {0, 0, 100, 100};
  info.focused = focused;
  return info;
}

TEST(WindowChange, EqualListsHaveNone) {
  const std::vector<WindowInfo> windows{window("a", 1), window("b", 2)};
  EXPECT_FALSE(window_change(windows, windows, 1));
}

TEST(WindowChange, WindowOfTheProgramThatOpensOrClosesCounts) {
  const std::vector<WindowInfo> one{window("a", 1)};
  const std::vector<WindowInfo> two{window("dialog", 1), window("a", 1)};
  EXPECT_EQ(window_change(one, two, 1), "a window opened");
  EXPECT_EQ(window_change(two, one, 1), "a window closed");
}

TEST(WindowChange, OtherProgramsWindowCountsOnlyWithTheFocus) {
  const std::vector<WindowInfo> one{window("a", 1)};
  EXPECT_FALSE(window_change(one, std::vector{window("mail", 2), window("a", 1)}, 1));
  EXPECT_TRUE(window_change(one, std::vector{window("mail", 2, true), window("a", 1)}, 1));
}

// A chat program may take the focus with a new window at any time.
TEST(WindowChange, FurtherWindowOfAnotherRunningProgramDoesNotCount) {
  const std::vector<WindowInfo> before{window("a", 1), window("chat", 2)};
  EXPECT_FALSE(window_change(before, std::vector{window("message", 2, true), before[0], before[1]}, 1));
}

// A dialog that opened by itself took the click, so that it came to nothing.
TEST(WindowChange, WindowThatItsProgramShowedBeforeItTookTheInputDoesNotCount) {
  const std::vector<std::string> own{"a"};
  std::vector<WindowInfo> before{window("a", 1)};
  before[0].input_time = 0xfffffff0;
  std::vector<WindowInfo> now{window("dialog", 1), before[0]};
  now[0].input_time = 0xfffffff0;
  now[1].input_time = 20;  // The clock has wrapped around.
  EXPECT_FALSE(window_change(before, now, 1, own));
  now[0].input_time = 20;
  EXPECT_EQ(window_change(before, now, 1, own), "a window opened");
  // These programs do not tell when the click reached them.
  now[0].input_time = 0xfffffff0;
  now[1].input_time = before[0].input_time;
  EXPECT_TRUE(window_change(before, now, 1, own));
  now[1].input_time.reset();
  EXPECT_TRUE(window_change(before, now, 1, own));
  EXPECT_TRUE(window_change(before, now, 1));
}

// Regression: a dialog that opened by itself proved the click that it took, because its program had had no input yet.
TEST(WindowChange, WindowWithoutAnInputTimeDoesNotCountWhereItsProgramTellsOne) {
  const std::vector<std::string> own{"a"};
  const std::vector<WindowInfo> before{window("a", 1)};
  std::vector<WindowInfo> now{window("dialog", 1), before[0]};
  now[1].input_time = 20;
  EXPECT_FALSE(window_change(before, now, 1, own));
  now[0].input_time = 20;
  EXPECT_EQ(window_change(before, now, 1, own), "a window opened");
  // Some programs show dialogs of a toolkit that does not know of their input.
  std::vector<WindowInfo> with_input = before;
  with_input[0].input_time = 10;
  now[0].input_time.reset();
  EXPECT_EQ(window_change(with_input, now, 1, own), "a window opened");
  // A program that the action has started is another one.
  now[0].input_time.reset();
  now[0].pid = 2;
  now[0].focused = true;
  EXPECT_EQ(window_change(before, now, 1, own), "a window opened");
}

// Regression: a window that minimized itself proved the click on a disabled button of it.
TEST(WindowChange, WindowMovesByAClickOnItsContentOnlyIfItTellsThatItTookIt) {
  const std::vector<std::string> own{"a"};
  const std::vector<WindowInfo> before{window("a", 1)};
  std::vector<WindowInfo> now = before;
  now[0].minimized = true;
  EXPECT_FALSE(window_change(before, now, 1, own, true));
  EXPECT_EQ(window_change(before, now, 1, own), "a window was minimized or restored");
  now[0].input_time = 20;
  EXPECT_EQ(window_change(before, now, 1, own, true), "a window was minimized or restored");
  now = before;
  now[0].bounds.x += 10;
  EXPECT_FALSE(window_change(before, now, 1, own, true));
  EXPECT_EQ(window_change(before, now, 1, own), "a window was moved or resized");
}

TEST(WindowChange, NewWindowIsOneOfTheProgram) {
  const std::vector<WindowInfo> before{window("a", 1)};
  EXPECT_FALSE(has_new_window(before, before, 1));
  EXPECT_FALSE(has_new_window(before, std::vector{window("mail", 2), before[0]}, 1));
  EXPECT_TRUE(has_new_window(before, std::vector{window("dialog", 1), before[0]}, 1));
}

TEST(WindowChange, NewTitleOfTheProgramCountsAndAnotherProgramsDoesNot) {
  const std::vector<WindowInfo> before{window("a", 1), window("b", 2)};
  std::vector<WindowInfo> now = before;
  now[1].title = "12:01";
  EXPECT_FALSE(window_change(before, now, 1));
  now[0].title = "* letter.txt";
  EXPECT_EQ(window_change(before, now, 1), "a window's title changed");
}

TEST(WindowChange, MovedWindowCountsAndRaisedWindowDoesNot) {
  const std::vector<WindowInfo> before{window("a", 1), window("b", 1)};
  EXPECT_FALSE(window_change(before, std::vector{before[1], before[0]}, 1));
  std::vector<WindowInfo> now = before;
  now[0].bounds.x = 20;
  EXPECT_TRUE(window_change(before, now, 1));
}

}  // namespace
}  // namespace da::actuator
