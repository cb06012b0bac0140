// A planner of plain sentences on a fake desktop.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "services/planner/plain/language/goal_parser.h"
#include "services/planner/plain/plain_planner.h"
#include "tests/services/planner/fake_observer.h"
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

// Carries out goals whose steps are clicks.
class WholeGoals : public PlainPlannerTest {
 protected:
  // Carries out each proposal until the end; returns the clicked elements and the summary or error.
  std::vector<std::string> run(PlainPlanner& planner) {
    std::vector<std::string> done;
    for (int turn = 0; turn < 100; ++turn) {
      const auto plan = planner.decide(look(), Attempt::kNext);
      if (!plan) {
        done.push_back(plan.error().message);
        return done;
      }
      if (plan->has_done()) {
        done.push_back(plan->done());
        return done;
      }
      const v1::Step& step = plan->steps(0);
      said_ = step.justification();
      done.push_back(step.action().ui_click().element_id());
      if (done.back() == "broken") {
        planner.hear(step, {EventKind::kFailed, "failed, the button is broken"});
        continue;
      }
      world_.perform(step.action());
      planner.hear(step, {EventKind::kDispatched, ""});
      EXPECT_TRUE(planner.verify(step, EventKind::kDispatched));
    }
    return done;
  }
  std::vector<std::string> run(std::string_view goal) {
    PlainPlanner planner = planner_of(goal);
    return run(planner);
  }

  using Done = std::vector<std::string>;
  std::string said_;
};

}  // namespace da::planner::plain
