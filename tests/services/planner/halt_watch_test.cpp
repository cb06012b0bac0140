#include "services/planner/halt_watch.h"

#include <gtest/gtest.h>

#include "tests/services/planner/fake_world.h"

namespace da::planner {
namespace {

class HaltWatchTest : public testing::Test {
 protected:
  FakeWorld world_;
  FakePolicy policy_{world_};
  TaskCancel task_;
};

TEST_F(HaltWatchTest, AHaltWakesATaskThatOnlyWaits) {
  const HaltWatch watch(policy_, system_clock(), "token", task_);
  policy_.halt("smoke");
  const auto pause = task_.pause_until(system_clock(), system_clock().now() + Milliseconds(20'000));
  EXPECT_EQ(pause, TaskCancel::Pause::kCancelled);
  EXPECT_TRUE(task_.halted());
  EXPECT_EQ(task_.reason(), "smoke");
}

TEST_F(HaltWatchTest, AHaltLeavesASubmittedStepToThePolicy) {
  task_.halt("smoke");
  EXPECT_TRUE(task_.looks().cancelled());
  EXPECT_FALSE(task_.submits().cancelled());
}

TEST_F(HaltWatchTest, EndsWithTheTaskWithoutAHalt) {
  { const HaltWatch watch(policy_, system_clock(), "token", task_); }
  EXPECT_FALSE(task_.cancelled());
}

}  // namespace
}  // namespace da::planner
