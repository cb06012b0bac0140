#include "services/planner/plain/plain_planner.h"

#include <gtest/gtest.h>

#include "services/planner/plain/goal_parser.h"
#include "services/planner/plain/key_readiness.h"
#include "tests/services/planner/fake_world.h"

namespace da::planner::plain {
namespace {

class PlainPlannerTest : public testing::Test {
 protected:
  PlainPlanner planner_of(std::string_view goal, Patience patience = Patience::kWait) {
    return PlainPlanner(parse_goal(goal).value(), sight_, patience);
  }

  v1::Observation look() { return sight_.look(Picture::kNone, kSettleWait).value(); }

  // The single action of the goal's first plan.
  v1::Action first_action(std::string_view goal) {
    PlainPlanner planner = planner_of(goal);
    const auto plan = planner.decide(look(), Attempt::kNext);
    EXPECT_TRUE(plan) << (plan ? "" : plan.error().message);
    if (!plan || plan->steps_size() != 1) return {};
    return plan->steps(0).action();
  }

  std::string first_error(std::string_view goal) {
    PlainPlanner planner = planner_of(goal);
    const auto plan = planner.decide(look(), Attempt::kNext);
    EXPECT_FALSE(plan) << plan->ShortDebugString();
    return plan ? "" : plan.error().message;
  }

  void open_editor() {
    install_editor(world_);
    world_.on_launch("mousepad");
    world_.advance(Milliseconds(1'000));
  }

  FakeWorld world_;
  FakeObserver observer_{world_};
  TaskCancel cancel_;
  Sight sight_{observer_, world_.clock, cancel_, "task", world_.clock.now() + std::chrono::minutes(10)};
};

TEST_F(PlainPlannerTest, ClicksAnElementByItsIdAndReadTextByItsPlace) {
  world_.add({.id = "e1", .role = "push button", .name = "Save"});
  world_.add({.id = "e2", .name = "Drawn", .bounds = {10, 20, 30, 40}, .painted_only = true});
  EXPECT_EQ(first_action("click \"Save\"").ui_click().element_id(), "e1");
  const v1::Mouse mouse = first_action("click \"Drawn\"").mouse();
  EXPECT_EQ(mouse.x(), 25);
  EXPECT_EQ(mouse.y(), 40);
}

TEST_F(PlainPlannerTest, DoubleAndRightClicksGoToTheMiddleOfTheTarget) {
  world_.add({.id = "e1", .role = "icon", .name = "File", .bounds = {-50, 10, 20, 20}});
  EXPECT_EQ(first_action("double-click \"File\"").mouse().clicks(), 2u);
  EXPECT_EQ(first_action("double-click \"File\"").mouse().x(), -40);
  EXPECT_EQ(first_action("right-click \"File\"").mouse().button(), v1::MOUSE_BUTTON_RIGHT);
  EXPECT_EQ(first_action("click at 5,6").mouse().y(), 6);
}

TEST_F(PlainPlannerTest, WaitsForATargetUntilItIsEnabled) {
  FakeElement& button = world_.add({.id = "e1", .role = "push button", .name = "Save", .enabled = false});
  world_.after(Milliseconds(4'000), [&] { button.enabled = true; });
  EXPECT_EQ(first_action("click \"Save\"").ui_click().element_id(), "e1");
}

TEST_F(PlainPlannerTest, SaysWhatWasMissingAfterTenSeconds) {
  world_.add({.id = "e1", .role = "push button", .name = "Save", .enabled = false});
  const MonoTime begin = world_.clock.now();
  const std::string missing = first_error("click \"Save\"");
  EXPECT_NE(missing.find("shows, but is not enabled (waited 10 s)"), std::string::npos) << missing;
  EXPECT_NE(missing.find("(line 1, column 1)"), std::string::npos) << missing;
  EXPECT_LT(world_.clock.now() - begin, Milliseconds(12'000));
}

TEST_F(PlainPlannerTest, ListsTheCandidatesOfAnAmbiguousTarget) {
  world_.add({.id = "e1", .role = "push button", .name = "OK", .bounds = {0, 0, 10, 10}});
  world_.add({.id = "e2", .role = "label", .name = "OK", .bounds = {100, 0, 10, 10}});
  const std::string error = first_error("click \"OK\"");
  EXPECT_NE(error.find("\"OK\" (push button at 5,5), \"OK\" (label at 105,5)"), std::string::npos) << error;
}

TEST_F(PlainPlannerTest, ScrollsAtTheFocusedWindowUnlessToldWhere) {
  world_.open_window({"w", "List", "", {100, 100, 200, 100}});
  world_.add({.id = "e1", .role = "list", .name = "Items", .bounds = {10, 10, 10, 10}});
  EXPECT_EQ(first_action("scroll down 3").scroll().x(), 200);
  EXPECT_EQ(first_action("scroll down 3").scroll().dy(), 3);
  EXPECT_EQ(first_action("scroll up 3 at \"Items\"").scroll().x(), 15);
  EXPECT_EQ(first_action("scroll up 3 at 7,8").scroll().dy(), -3);
}

TEST_F(PlainPlannerTest, ALongWaitIsAChainOfSleepsWithinTheCataloguesBound) {
  PlainPlanner planner = planner_of("wait 12 seconds");
  std::vector<double> sleeps;
  while (true) {
    const auto plan = planner.decide(look(), Attempt::kNext).value();
    if (plan.has_done()) break;
    sleeps.push_back(plan.steps(0).action().sleep().secs());
  }
  EXPECT_EQ(sleeps, (std::vector<double>{5, 5, 2}));
}

TEST_F(PlainPlannerTest, TypingIntoAFieldClicksItFirst) {
  open_editor();
  world_.add({.id = "search",
              .window_id = "editor-window",
              .role = "text",
              .name = "Search",
              .bounds = {10, 10, 100, 20},
              .editable = true});
  PlainPlanner planner = planner_of("type \"x\" into \"Search\"");
  const auto click = planner.decide(look(), Attempt::kNext).value();
  EXPECT_EQ(click.steps(0).action().ui_click().element_id(), "search");
  world_.perform(click.steps(0).action());
  const auto type = planner.decide(look(), Attempt::kNext).value();
  EXPECT_EQ(type.steps(0).action().write().text(), "x");
  EXPECT_TRUE(planner.decide(look(), Attempt::kNext).value().has_done());
}

TEST_F(PlainPlannerTest, AFieldThatHasTheFocusIsNotClicked) {
  open_editor();
  EXPECT_EQ(first_action("type \"x\" into \"Document\"").write().text(), "x");
}

TEST_F(PlainPlannerTest, TypingIntoAFieldBeginsWithTheFieldAgainWhenTheFocusWentAway) {
  open_editor();
  FakeElement& search = world_.add({.id = "search",
                                    .window_id = "editor-window",
                                    .role = "text",
                                    .name = "Search",
                                    .bounds = {10, 10, 100, 20},
                                    .editable = true});
  world_.focused_element = search.id;
  PlainPlanner planner = planner_of("type \"x\" into \"Search\"");
  EXPECT_TRUE(planner.decide(look(), Attempt::kNext).value().steps(0).action().has_write());
  world_.focused_element = "editor";
  EXPECT_TRUE(planner.decide(look(), Attempt::kAgain).value().steps(0).action().has_ui_click());
}

TEST_F(PlainPlannerTest, TypingNeedsAFocusedWindow) {
  const std::string error = first_error("type \"x\"");
  EXPECT_NE(error.find("no window has the focus"), std::string::npos) << error;
}

TEST_F(PlainPlannerTest, AScreenThatNeverRestsDoesNotKeepKeysFromAWindowThatDoes) {
  open_editor();
  world_.restless = true;
  EXPECT_EQ(first_action("type \"x\"").write().text(), "x");
}

TEST_F(PlainPlannerTest, AfterALaunchItWaitsForTheNewWindowToHaveTheFocus) {
  install_editor(world_);
  PlainPlanner planner = planner_of("open mousepad");
  const auto plan = planner.decide(look(), Attempt::kNext).value();
  world_.perform(plan.steps(0).action());
  ASSERT_TRUE(world_.windows.empty());
  EXPECT_TRUE(planner.verify(plan.steps(0), EventKind::kDispatched));
  EXPECT_EQ(world_.focused_window, "editor-window");
}

TEST_F(PlainPlannerTest, ALaunchThatOpensNoWindowFails) {
  world_.open_window({"w", "Other"});
  PlainPlanner planner = planner_of("open true");
  const auto plan = planner.decide(look(), Attempt::kNext).value();
  const auto verified = planner.verify(plan.steps(0), EventKind::kDispatched);
  ASSERT_FALSE(verified);
  EXPECT_NE(verified.error().message.find("no new window opened within 10 s; windows: \"Other\""), std::string::npos)
      << verified.error().message;
}

TEST_F(PlainPlannerTest, ALaunchedWindowWithoutTheFocusIsNamed) {
  world_.open_window({"w", "Other"});
  PlainPlanner planner = planner_of("open shy");
  const auto plan = planner.decide(look(), Attempt::kNext).value();
  world_.windows.push_back({"s", "Shy \x1b", ""});
  const auto verified = planner.verify(plan.steps(0), EventKind::kDispatched);
  ASSERT_FALSE(verified);
  EXPECT_NE(verified.error().message.find("\"Shy \\x1b\" opened, but did not get the focus"), std::string::npos);
}

TEST_F(PlainPlannerTest, AnApplicationMayShowItselfInAWindowItHadAlready) {
  world_.open_window({"calc", "Calculator", "/usr/bin/gnome-calculator"});
  world_.open_window({"w", "Other"});
  PlainPlanner planner = planner_of("open gnome-calculator --mode=basic");
  const auto plan = planner.decide(look(), Attempt::kNext).value();
  world_.after(Milliseconds(500), [&] { world_.focused_window = "calc"; });
  EXPECT_TRUE(planner.verify(plan.steps(0), EventKind::kDispatched));
}

TEST_F(PlainPlannerTest, WaitsForAWindowBeforeItFocusesOne) {
  world_.after(Milliseconds(3'000), [&] { world_.open_window({"w", "Report - Viewer"}); });
  EXPECT_EQ(first_action("focus \"viewer\"").focus_window().title(), "viewer");
  const std::string error = first_error("close \"Nowhere\"");
  EXPECT_NE(error.find("no window's title contains \"Nowhere\" (waited 10 s); open: \"Report - Viewer\""),
            std::string::npos)
      << error;
}

TEST_F(PlainPlannerTest, EnterInADialogWaitsForItsDefaultButton) {
  open_editor();
  world_.on_keys({"ctrl", "s"});
  world_.advance(Milliseconds(500));
  world_.perform(first_action("type \"/tmp/x\""));
  EXPECT_EQ(first_action("press enter").press().key(), "enter");
  EXPECT_TRUE(world_.element("save")->enabled) << "an Enter before this is ignored by real dialogs";
}

TEST_F(PlainPlannerTest, EnterIsNotHeldBackForLongByAButtonThatStaysInsensitive) {
  open_editor();
  world_.on_keys({"ctrl", "s"});
  world_.advance(Milliseconds(500));
  const v1::Observation latest = look();
  const MonoTime begin = world_.clock.now();
  EXPECT_TRUE(await_default_button(sight_, latest.focused_window()));
  EXPECT_LE(world_.clock.now() - begin, Milliseconds(3'000));
}

TEST_F(PlainPlannerTest, AnInsensitiveSaveButtonOfAMainWindowDoesNotHoldEnterBack) {
  open_editor();
  world_.add({.id = "toolbar", .window_id = "editor-window", .role = "push button", .name = "Save", .enabled = false});
  const v1::Observation latest = look();
  const MonoTime begin = world_.clock.now();
  EXPECT_TRUE(await_default_button(sight_, latest.focused_window()));
  EXPECT_EQ(world_.clock.now(), begin);
}

TEST_F(PlainPlannerTest, AStepThatClaimsAnEffectAndHasNoneFails) {
  world_.open_window({"w", "Other"});
  PlainPlanner planner = planner_of("focus \"Other\"");
  const auto plan = planner.decide(look(), Attempt::kNext).value();
  EXPECT_FALSE(planner.verify(plan.steps(0), EventKind::kNoEffect));
  PlainPlanner scrolling = planner_of("scroll down 3");
  const auto scroll = scrolling.decide(look(), Attempt::kNext).value();
  EXPECT_TRUE(scrolling.verify(scroll.steps(0), EventKind::kNoEffect)) << "a list may be at its end";
}

TEST_F(PlainPlannerTest, ALostObserverIsNotTakenForAMissingTarget) {
  const v1::Observation latest = look();
  observer_.lost = Error{Code::kUnavailable, "da-observer is gone"};
  PlainPlanner planner = planner_of("click \"Save\"", Patience::kNow);
  const auto plan = planner.decide(latest, Attempt::kNext);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, Code::kUnavailable);
}

TEST_F(PlainPlannerTest, InADryRunWhatIsNotShowingIsProposedByItsDescriptionWithoutWaiting) {
  const MonoTime begin = world_.clock.now();
  const v1::Observation latest = world_.observation(true);
  PlainPlanner planner = planner_of("type \"x\" into \"Name\"; click \"Save\"; focus \"Nowhere\"", Patience::kNow);
  const auto type = planner.decide(latest, Attempt::kNext).value();
  EXPECT_EQ(type.steps(0).action().type_in_described_field().target_description(), "Name");
  EXPECT_NE(type.steps(0).justification().find("cannot be judged before its target shows"), std::string::npos);
  EXPECT_TRUE(planner.awaits_target());
  const auto click = planner.decide(latest, Attempt::kNext).value();
  EXPECT_EQ(click.steps(0).action().click_described_element().target_description(), "Save");
  EXPECT_TRUE(planner.decide(latest, Attempt::kNext).value().steps(0).action().has_focus_window());
  EXPECT_TRUE(planner.decide(latest, Attempt::kNext).value().has_done());
  EXPECT_EQ(world_.clock.now(), begin);
}

TEST_F(PlainPlannerTest, InADryRunWhatIsDoubleClickedOrScrolledAtButDoesNotShowIsNoOtherClickAndHasNoPlace) {
  const v1::Observation latest = world_.observation(true);
  PlainPlanner planner = planner_of(
      R"(double-click "Save"; right-click "Save"; scroll down 3 at "List"; double-click at 5,6; scroll up 2 at 7,8)",
      Patience::kNow);
  for (const char* source : {"double-click", "right-click", "scroll down 3"}) {
    const auto plan = planner.decide(latest, Attempt::kNext).value();
    EXPECT_EQ(plan.steps(0).action().tool_case(), v1::Action::TOOL_NOT_SET) << source;
    EXPECT_NE(plan.steps(0).justification().find(source), std::string::npos) << plan.steps(0).justification();
    EXPECT_TRUE(planner.awaits_target());
  }
  EXPECT_EQ(planner.decide(latest, Attempt::kNext).value().steps(0).action().mouse().clicks(), 2u);
  EXPECT_FALSE(planner.awaits_target());
  EXPECT_EQ(planner.decide(latest, Attempt::kNext).value().steps(0).action().scroll().y(), 8);
  EXPECT_FALSE(planner.awaits_target());
}

}  // namespace
}  // namespace da::planner::plain
