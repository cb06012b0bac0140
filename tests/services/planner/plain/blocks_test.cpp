// Loops, conditions and optional blocks of a goal.
#include "services/planner/plain/language/goal_bounds.h"
#include "tests/services/planner/plain/plain_planner_fixture.h"

namespace da::planner::plain {
namespace {

class Blocks : public WholeGoals {
 protected:
  void SetUp() override {
    for (const char* name : {"a", "b", "broken"}) world_.add({.id = name, .role = "push button", .name = name});
  }
};

TEST_F(Blocks, ALoopEndsWhenItsConditionIsFalse) {
  int clicks = 0;
  world_.element("a")->on_click = [&] { world_.element("a")->enabled = ++clicks < 3; };
  EXPECT_EQ(run("while \"a\" is enabled: { click \"a\"; click \"b\" }; click \"b\""),
            (Done{"a", "b", "a", "b", "a", "b", "b", "3 sentences were carried out"}));
}

TEST_F(Blocks, ALoopFailsAfterItsRounds) {
  const auto done = run("while \"a\" is visible at most 2 times: click \"a\"");
  ASSERT_EQ(done.size(), 3u);
  EXPECT_NE(done.back().find("its condition is still true after 2 rounds"), std::string::npos) << done.back();
}

TEST_F(Blocks, ANestedLoopBeginsAgainInEachRound) {
  int left = 2;
  world_.add({.id = "inner", .role = "push button", .name = "Next"});
  world_.add({.id = "outer", .role = "push button", .name = "More"});
  world_.element("inner")->on_click = [&] { world_.element("inner")->enabled = false; };
  world_.element("outer")->on_click = [&] {
    world_.element("inner")->enabled = --left > 0;
    world_.element("outer")->enabled = left > 0;
  };
  EXPECT_EQ(
      run("while \"More\" is enabled: { while \"Next\" is enabled at most 1 times: click \"Next\"; click \"More\" }"),
      (Done{"inner", "outer", "inner", "outer", "2 sentences were carried out"}));
}

TEST_F(Blocks, WaitsUntilAConditionIsTrue) {
  world_.after(Milliseconds(15'000), [&] { world_.add({.id = "w", .role = "label", .name = "Welcome"}); });
  EXPECT_EQ(run("wait until \"Welcome\" is visible 30 seconds; click \"b\"").front(), "b");
  const auto failed = run("wait until \"Nobody\" is visible 1 second; click \"b\"");
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_NE(failed[0].find("wait until \"Nobody\" is visible 1 second (line 1, column 1)"), std::string::npos)
      << failed[0];
}

TEST_F(Blocks, ACopiedTextIsATargetOfALaterSentence) {
  world_.add({.id = "f", .role = "text", .name = "Order", .text = "b", .editable = true});
  EXPECT_EQ(run("copy \"Order\" as order; click \"{{order}}\"").front(), "b");
  EXPECT_NE(said_.find("copied \"b\" as order"), std::string::npos) << said_;
  world_.element("f")->text = "two\nlines";
  const auto failed = run("copy \"Order\" as order; click \"{{order}}\"");
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_NE(failed[0].find("\"Order\" cannot be copied: its text has several lines"), std::string::npos) << failed[0];
}

TEST_F(Blocks, SeveralRowsAreSelectedWithCtrl) {
  for (const char* name : {"x", "y"}) {
    FakeElement& row = world_.add({.id = name, .role = "list item", .name = name, .selectable = true});
    row.on_click = [&row] { row.selected = true; };
  }
  EXPECT_EQ(run("select \"x\", \"y\" in list \"Files\""), (Done{"x", "y", "1 sentence was carried out"}));
  EXPECT_NE(world_.performed.back().find("ctrl"), std::string::npos) << world_.performed.back();
}

TEST_F(Blocks, ABlockIsRepeated) {
  EXPECT_EQ(run("repeat 2 times: { click \"a\"; click \"b\" }"),
            (Done{"a", "b", "a", "b", "4 sentences were carried out"}));
}

TEST_F(Blocks, BlockIsSkippedIfItsConditionIsFalse) {
  EXPECT_EQ(run("if \"Welcome\" is visible: { click \"a\"; click \"a\" }; click \"b\""),
            (Done{"b", "1 sentence was carried out, 2 left out by their condition"}));
  EXPECT_NE(said_.find("sentence 4 of 4: click \"b\" (left out the block of if \"Welcome\" is visible"),
            std::string::npos)
      << said_;
}

TEST_F(Blocks, BlockRunsIfItsConditionIsTrue) {
  EXPECT_EQ(run("if \"b\" is visible: click \"a\"; if \"b\" is not visible: click \"b\""),
            (Done{"a", "1 sentence was carried out, 1 left out by their condition"}));
}

TEST_F(Blocks, AConditionMayTakeASecondToBecomeTrue) {
  world_.after(Milliseconds(700), [&] { world_.add({.id = "w", .role = "label", .name = "Welcome"}); });
  EXPECT_EQ(run("if \"Welcome\" is visible: click \"a\"").front(), "a");
}

TEST_F(Blocks, RestOfAnOptionalBlockIsSkippedIfATargetIsMissing) {
  const MonoTime begin = world_.clock.now();
  EXPECT_EQ(run("optional: { click \"Later\"; click \"a\" }; click \"b\""),
            (Done{"b", "1 sentence was carried out, 2 optional left out"}));
  EXPECT_LT(world_.clock.now() - begin, Milliseconds(6'000));
  EXPECT_NE(said_.find("left out click \"Later\", which is optional: \"Later\" is nowhere"), std::string::npos)
      << said_;
}

TEST_F(Blocks, AnOptionalStepThatFailsDoesNotEndTheTask) {
  EXPECT_EQ(run("optional: click \"broken\"; click \"b\""),
            (Done{"broken", "b", "1 sentence was carried out, 1 optional left out"}));
}

TEST_F(Blocks, AStepThatIsNotOptionalStillEndsTheTask) {
  EXPECT_EQ(run("optional: click \"a\"; click \"broken\"; click \"b\""),
            (Done{"a", "broken", "failed, the button is broken"}));
  EXPECT_EQ(failure_bound(parse_goal("click \"a\"").value()), 0u);
  EXPECT_GT(failure_bound(parse_goal("click \"a\"; optional: click \"b\"").value()), 1000u);
}

TEST_F(Blocks, ADryRunListsEveryBlockWithItsCondition) {
  PlainPlanner planner = planner_of("if \"Welcome\" is visible: click \"a\"; click \"b\"", Patience::kNow);
  const v1::Observation latest = world_.observation(true);
  const auto first = planner.decide(latest, Attempt::kNext).value();
  EXPECT_NE(first.steps(0).justification().find("(only if \"Welcome\" is visible)"), std::string::npos)
      << first.steps(0).justification();
  const auto second = planner.decide(latest, Attempt::kNext).value();
  EXPECT_EQ(second.steps(0).justification().find("only if"), std::string::npos);
}

}  // namespace
}  // namespace da::planner::plain
