#include "services/planner/plain/key_readiness.h"

#include "tests/services/planner/plain/plain_planner_fixture.h"

namespace da::planner::plain {
namespace {

// Bug: a window that opened between the two sentences got the text.
TEST_F(PlainPlannerTest, KeysAfterFocusAreMeantForThatWindow) {
  open_editor();
  PlainPlanner planner = planner_of("focus \"Untitled\"; type \"a\"; press enter");
  std::vector<std::string> windows;
  for (int i = 0; i < 3; ++i) {
    const auto plan = planner.decide(look(), Attempt::kNext);
    ASSERT_TRUE(plan) << plan.error().message;
    windows.push_back(plan->steps(0).keys_to_window());
    EXPECT_TRUE(planner.verify(plan->steps(0), EventKind::kDispatched));
  }
  EXPECT_EQ(windows, (std::vector<std::string>{"", "editor-window", ""})) << "the text may have opened another window";
}

TEST_F(PlainPlannerTest, KeysWaitForTheApplicationToBeIdle) {
  PlainPlanner clicks = planner_of("click \"A\"; press enter; click \"B\"");
  EXPECT_EQ(clicks.wanted_view(), View::kState);
  EXPECT_EQ(planner_of("press enter").wanted_view(), View::kSettledApplication);
  EXPECT_EQ(planner_of("type \"x\"").wanted_view(), View::kSettledApplication);
  EXPECT_EQ(planner_of("type \"x\" into \"A\"").wanted_view(), View::kState);
  world_.add({.id = "a", .role = "push button", .name = "A"});
  ASSERT_TRUE(clicks.decide(look(), Attempt::kNext));
  EXPECT_EQ(clicks.wanted_view(), View::kSettledApplication);  // The key comes next.
}

TEST_F(PlainPlannerTest, TypingNeedsAFocusedWindow) {
  const std::string error = first_error("type \"x\"");
  EXPECT_NE(error.find("no window has the focus"), std::string::npos) << error;
}

TEST_F(PlainPlannerTest, KeysGoToASettledWindowOnAChangingScreen) {
  open_editor();
  world_.restless = true;
  EXPECT_EQ(first_action("type \"x\"").write().text(), "x");
}

// Bug: an application that was still starting read the text and dropped it, and what it drew meanwhile passed for
// proof.
TEST_F(PlainPlannerTest, TextWaitsUntilAnElementHasTheFocus) {
  open_editor();
  world_.focused_element = "";
  world_.after(Milliseconds(1'500), [&] { world_.focused_element = "editor"; });
  EXPECT_EQ(first_action("type \"x\"").write().text(), "x");
  EXPECT_EQ(world_.focused_element, "editor");
}

TEST_F(PlainPlannerTest, AWindowWithoutAFocusedElementDelaysOnlyItsFirstText) {
  open_editor();
  world_.focused_element = "";
  PlainPlanner planner = planner_of("type \"x\"; type \"y\"");
  for (int i = 0; i < 2; ++i) {
    const v1::Observation latest = look();
    const MonoTime begin = world_.clock.now();
    const auto plan = planner.decide(latest, Attempt::kNext);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(world_.clock.now() - begin >= Milliseconds(3'000), i == 0);
    EXPECT_LE(world_.clock.now() - begin, Milliseconds(4'000));
    EXPECT_TRUE(planner.verify(plan->steps(0), EventKind::kDispatched));
  }
}

TEST_F(PlainPlannerTest, EnterInADialogWaitsForItsDefaultButton) {
  open_editor();
  world_.on_keys({"ctrl", "s"});
  world_.advance(Milliseconds(500));
  world_.perform(first_action("type \"/tmp/x\""));
  EXPECT_EQ(first_action("press enter").press().key(), "enter");
  EXPECT_TRUE(world_.element("save")->enabled) << "an Enter before this is ignored by real dialogs";
}

TEST_F(PlainPlannerTest, EnterIsSentIfTheDefaultButtonStaysDisabled) {
  open_editor();
  world_.on_keys({"ctrl", "s"});
  world_.advance(Milliseconds(500));
  const v1::Observation latest = look();
  const MonoTime begin = world_.clock.now();
  EXPECT_TRUE(await_default_button(view_, latest.focused_window()));
  EXPECT_LE(world_.clock.now() - begin, Milliseconds(3'000));
}

TEST_F(PlainPlannerTest, EnterDoesNotWaitForADisabledSaveButtonOfAMainWindow) {
  open_editor();
  world_.add({.id = "toolbar", .window_id = "editor-window", .role = "push button", .name = "Save", .enabled = false});
  const v1::Observation latest = look();
  const MonoTime begin = world_.clock.now();
  EXPECT_TRUE(await_default_button(view_, latest.focused_window()));
  EXPECT_EQ(world_.clock.now(), begin);
}

}  // namespace
}  // namespace da::planner::plain
