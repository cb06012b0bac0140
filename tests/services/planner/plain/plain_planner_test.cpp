#include "services/planner/plain/language/goal_bounds.h"
#include "tests/services/planner/plain/plain_planner_fixture.h"

namespace da::planner::plain {
namespace {

TEST_F(PlainPlannerTest, ClicksElementsByIdAndOcrTextByPlace) {
  world_.add({.id = "e1", .role = "push button", .name = "Save"});
  world_.add({.id = "e2", .name = "Drawn", .bounds = {10, 20, 30, 40}, .painted_only = true});
  EXPECT_EQ(first_action("click \"Save\"").ui_click().element_id(), "e1");
  const v1::Mouse mouse = first_action("click \"Drawn\"").mouse();
  EXPECT_EQ(mouse.x(), 25);
  EXPECT_EQ(mouse.y(), 40);
}

TEST_F(PlainPlannerTest, DoubleAndRightClicksUseTheElementId) {
  world_.add({.id = "e1", .role = "icon", .name = "File", .bounds = {-50, 10, 20, 20}});
  EXPECT_TRUE(first_action("double-click \"File\"").ui_click().double_click());
  EXPECT_EQ(first_action("right-click \"File\"").ui_click().button(), v1::MOUSE_BUTTON_RIGHT);
}

TEST_F(PlainPlannerTest, DoubleAndRightClicksGoToTheMiddleOfTheTarget) {
  world_.add({.id = "e2", .name = "Drawn", .bounds = {-50, 10, 20, 20}, .painted_only = true});
  EXPECT_EQ(first_action("double-click \"Drawn\"").mouse().clicks(), 2u);
  EXPECT_EQ(first_action("double-click \"Drawn\"").mouse().x(), -40);
  EXPECT_EQ(first_action("right-click \"Drawn\"").mouse().button(), v1::MOUSE_BUTTON_RIGHT);
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

TEST_F(PlainPlannerTest, ScrollsAtTheFocusedWindowByDefault) {
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

// Bug: a program that asked "Save changes?" was still running, and the sentences after its close were done at once.
TEST_F(PlainPlannerTest, CloseWaitsForTheWindowOrAQuestionOfItsProgram) {
  for (const bool asks : {false, true}) {
    world_.open_window({.id = "memo", .title = "Memo", .pid = 7});
    PlainPlanner planner = planner_of("close \"Memo\"");
    const auto plan = planner.decide(look(), Attempt::kNext).value();
    world_.after(Milliseconds(2'000), [&] {
      asks ? (void)world_.open_window({.id = "ask", .title = "Save changes?", .pid = 7}) : world_.close_window("memo");
    });
    EXPECT_TRUE(planner.verify(plan.steps(0), EventKind::kDispatched));
    EXPECT_EQ(world_.windows.size(), asks ? 2U : 0U) << "it waited";
  }
}

TEST_F(PlainPlannerTest, CloseFailsIfTheWindowStaysOpen) {
  world_.open_window({.id = "memo", .title = "Memo", .pid = 7});
  PlainPlanner planner = planner_of("close \"Memo\"");
  const auto plan = planner.decide(look(), Attempt::kNext).value();
  const auto verified = planner.verify(plan.steps(0), EventKind::kDispatched);
  ASSERT_FALSE(verified);
  EXPECT_NE(verified.error().message.find("\"Memo\" is still open"), std::string::npos) << verified.error().message;
}

TEST_F(PlainPlannerTest, DragsFromOneElementToAnother) {
  world_.add({.id = "a", .role = "label", .name = "card 1", .bounds = {10, 10, 20, 20}});
  world_.add({.id = "b", .role = "panel", .name = "Done", .bounds = {300, 200, 100, 50}});
  const v1::Drag drag = first_action("drag \"card 1\" to \"Done\"").drag();
  ASSERT_EQ(drag.path_size(), 2);
  EXPECT_EQ(drag.path(0).x(), 20);
  EXPECT_EQ(drag.path(1).x(), 350);
  EXPECT_EQ(drag.path(1).y(), 225);
  EXPECT_EQ(first_action("drag \"card 1\" to 7,8").drag().path(1).x(), 7);
  EXPECT_NE(first_error("drag \"card 1\" to \"Nowhere\"").find("\"Nowhere\" is nowhere"), std::string::npos);
}

TEST_F(PlainPlannerTest, FindsATargetByItsKindItsNumberAndItsWindow) {
  world_.open_window({"w1", "Files"});
  world_.open_window({"w2", "Save As"});
  world_.add({.id = "e1", .window_id = "w1", .role = "push button", .name = "OK"});
  world_.add({.id = "e2", .window_id = "w2", .role = "label", .name = "OK"});
  world_.add({.id = "e3", .window_id = "w2", .role = "push button", .name = "OK"});
  EXPECT_EQ(first_action("click button \"OK\" in \"Save As\"").ui_click().element_id(), "e3");
  EXPECT_EQ(first_action("click 2nd \"OK\"").ui_click().element_id(), "e2");
  EXPECT_EQ(first_action("click 2nd button \"OK\"").ui_click().element_id(), "e3");
  const std::string error = first_error("click link \"OK\"");
  EXPECT_NE(error.find("): link \"OK\" is nowhere"), std::string::npos) << error;
}

TEST_F(PlainPlannerTest, HoverMovesThePointer) {
  world_.add({.id = "e1", .role = "push button", .name = "Tools", .enabled = false});
  const v1::Mouse mouse = first_action("hover \"Tools\"").mouse();
  EXPECT_EQ(mouse.action(), v1::Mouse::GESTURE_MOVE);
  EXPECT_EQ(mouse.x(), 140);
}

TEST_F(PlainPlannerTest, AClickHoldsKeys) {
  world_.add({.id = "e1", .role = "list item", .name = "File"});
  world_.add({.id = "e2", .name = "Drawn", .painted_only = true});
  EXPECT_EQ(first_action("click \"File\" with ctrl and alt").ui_click().hold(), v1::HELD_KEYS_CTRL_ALT);
  EXPECT_EQ(first_action("click \"Drawn\" with shift").mouse().hold(), v1::HELD_KEYS_SHIFT);
}

TEST_F(PlainPlannerTest, DragsByAnAmount) {
  world_.add({.id = "e1", .role = "split pane", .name = "Splitter"});
  const v1::Drag drag = first_action("drag \"Splitter\" by 40,-10").drag();
  EXPECT_EQ(drag.path(1).x() - drag.path(0).x(), 40);
  EXPECT_EQ(drag.path(1).y() - drag.path(0).y(), -10);
}

TEST(TurnBound, CountsTheRoundsOfLoops) {
  EXPECT_EQ(turn_bound(parse_goal("while \"a\" is visible at most 7 times: { click \"a\"; press a }").value(), 2), 29u);
  EXPECT_EQ(turn_bound(parse_goal("click \"a\"").value(), 2), 3u);
}

TEST_F(PlainPlannerTest, WaitsForAWindowBeforeItFocusesOne) {
  world_.after(Milliseconds(3'000), [&] { world_.open_window({"w", "Report - Viewer"}); });
  EXPECT_EQ(first_action("focus \"viewer\"").focus_window().title(), "viewer");
  const std::string error = first_error("close \"Nowhere\"");
  EXPECT_NE(error.find("no window's title contains \"Nowhere\" (waited 10 s); open: \"Report - Viewer\""),
            std::string::npos)
      << error;
}

TEST_F(PlainPlannerTest, StepWithoutItsRequiredEffectFails) {
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

TEST_F(PlainPlannerTest, DryRunProposesHiddenTargetsByDescriptionWithoutWaiting) {
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

TEST_F(PlainPlannerTest, DryRunProposesNoCallForHiddenDoubleClickAndScrollTargets) {
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
