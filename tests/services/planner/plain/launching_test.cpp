// `open PROGRAM`: what counts as its window, and how long the planner waits for it.
#include "tests/services/planner/plain/plain_planner_fixture.h"

namespace da::planner::plain {
namespace {

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
  EXPECT_NE(verified.error().message.find("no new window opened within 30 s; windows: \"Other\""), std::string::npos)
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

TEST_F(PlainPlannerTest, OldWindowMayAnswerALaunch) {
  world_.open_window({"calc", "Calculator", "/usr/bin/gnome-calculator"});
  world_.open_window({"w", "Other"});
  PlainPlanner planner = planner_of("open gnome-calculator --mode=basic");
  const auto plan = planner.decide(look(), Attempt::kNext).value();
  world_.after(Milliseconds(500), [&] { world_.focused_window = "calc"; });
  EXPECT_TRUE(planner.verify(plan.steps(0), EventKind::kDispatched));
}

TEST_F(PlainPlannerTest, WaitsForTheWindowAfterASplashScreen) {
  world_.open_window({"w", "Other"});
  PlainPlanner planner = planner_of("open office");
  const auto plan = planner.decide(look(), Attempt::kNext).value();
  world_.open_window({.id = "s", .title = "Office", .kind = v1::Window::KIND_SPLASH});
  world_.after(Milliseconds(20'000), [&] { world_.open_window({"m", "Untitled - Office"}); });
  EXPECT_TRUE(planner.verify(plan.steps(0), EventKind::kDispatched));
  EXPECT_EQ(world_.focused_window, "m");
}

TEST_F(PlainPlannerTest, ActiveApplicationExtendsTheWait) {
  world_.open_window({"w", "Other"});
  PlainPlanner planner = planner_of("open office");
  const auto plan = planner.decide(look(), Attempt::kNext).value();
  world_.launched.emplace_back().set_pid(7);
  world_.launched.back().add_pids(7);
  for (int i = 1; i <= 5; ++i) {
    world_.after(Milliseconds(i * 7'000), [&, i] { world_.launched.back().add_pids(100 + static_cast<unsigned>(i)); });
  }
  world_.after(Milliseconds(40'000), [&] { world_.open_window({"m", "Untitled - Office"}); });
  EXPECT_TRUE(planner.verify(plan.steps(0), EventKind::kDispatched));
}

TEST_F(PlainPlannerTest, WithinLimitsTheWaitForALaunch) {
  world_.open_window({"w", "Other"});
  PlainPlanner planner = planner_of("open office within 5 seconds");
  const auto plan = planner.decide(look(), Attempt::kNext).value();
  world_.after(Milliseconds(9'000), [&] { world_.open_window({"m", "Untitled - Office"}); });
  const auto verified = planner.verify(plan.steps(0), EventKind::kDispatched);
  ASSERT_FALSE(verified);
  EXPECT_NE(verified.error().message.find("no new window opened within 5 s"), std::string::npos)
      << verified.error().message;
}

TEST_F(PlainPlannerTest, FailedApplicationEndsTheWaitAtOnce) {
  world_.open_window({"w", "Other"});
  PlainPlanner planner = planner_of("open broken");
  const auto plan = planner.decide(look(), Attempt::kNext).value();
  v1::LaunchedProcess& program = world_.launched.emplace_back();
  program.set_ended(true);
  program.set_exit_status(1);
  program.set_last_output("no such file");
  const MonoTime begin = world_.clock.now();
  const auto verified = planner.verify(plan.steps(0), EventKind::kDispatched);
  ASSERT_FALSE(verified);
  EXPECT_NE(
      verified.error().message.find("it ended with exit status 1; the last line that it printed: \"no such file\""),
      std::string::npos)
      << verified.error().message;
  EXPECT_LT(world_.clock.now() - begin, Milliseconds(1'000));
}

}  // namespace
}  // namespace da::planner::plain
