// A planner of plain sentences on a fake desktop.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>

#include "services/planner/plain/goal_parser.h"
#include "services/planner/plain/plain_planner.h"
#include "tests/services/planner/fake_world.h"

namespace da::planner::plain {

class PlainPlannerTest : public testing::Test {
 protected:
  PlainPlanner planner_of(std::string_view goal, Patience patience = Patience::kWait) {
    return PlainPlanner(parse_goal(goal).value(), view_, patience);
  }

  v1::Observation look() { return view_.look(Picture::kNone, kSettleWait).value(); }

  // The only action of the goal's first plan.
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
  TaskView view_{observer_, world_.clock, cancel_, "task", "token", world_.clock.now() + std::chrono::minutes(10)};
};

}  // namespace da::planner::plain
