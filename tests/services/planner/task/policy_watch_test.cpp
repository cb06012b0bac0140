#include "services/planner/task/policy_watch.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/services/planner/fake_policy.h"
#include "tests/services/planner/fake_world.h"

namespace da::planner {
namespace {

class PolicyWatchTest : public testing::Test {
 protected:
  FakeWorld world_;
  FakePolicy policy_{world_};
  TaskCancel task_;
};

TEST_F(PolicyWatchTest, AHaltWakesATaskThatOnlyWaits) {
  const PolicyWatch watch(policy_, system_clock(), "token", task_, Heed::kHaltsAndPauses);
  policy_.halt("smoke");
  const auto pause = task_.pause_until(system_clock(), system_clock().now() + Milliseconds(20'000));
  EXPECT_EQ(pause, TaskCancel::Pause::kCancelled);
  EXPECT_TRUE(task_.halted());
  EXPECT_EQ(task_.reason(), "smoke");
}

TEST_F(PolicyWatchTest, AHaltLeavesASubmittedStepToThePolicy) {
  task_.halt("smoke");
  EXPECT_TRUE(task_.work().stop_requested());
  EXPECT_FALSE(task_.submits().stop_requested());
}

TEST_F(PolicyWatchTest, WatchEndsWithTheTaskWithoutAHalt) {
  { const PolicyWatch watch(policy_, system_clock(), "token", task_, Heed::kHaltsAndPauses); }
  EXPECT_FALSE(task_.cancelled());
}

TEST_F(PolicyWatchTest, APauseHoldsATaskThatOnlyWaits) {
  const PolicyWatch watch(policy_, system_clock(), "token", task_, Heed::kHaltsAndPauses);
  policy_.pause(v1::Pause::CAUSE_PERSON, "the mouse\x1b was moved");
  const auto pause = task_.pause_until(system_clock(), system_clock().now() + Milliseconds(20'000));
  EXPECT_EQ(pause, TaskCancel::Pause::kCancelled);
  EXPECT_TRUE(task_.held());
  EXPECT_TRUE(task_.work().stop_requested());
  EXPECT_FALSE(task_.submits().stop_requested());
  EXPECT_FALSE(task_.cancelled());
  EXPECT_EQ(task_.hold_reason(), "a person uses the desktop (the mouse\\x1b was moved)");
}

TEST_F(PolicyWatchTest, ReleasedTaskCanObserveAgain) {
  task_.hold("lunch");
  task_.release();
  EXPECT_FALSE(task_.held());
  EXPECT_FALSE(task_.work().stop_requested());
  task_.hold("lunch");
  task_.halt("smoke");
  task_.release();
  EXPECT_TRUE(task_.work().stop_requested()) << "a halt is not released";
}

TEST_F(PolicyWatchTest, HaltIsNoticedDuringAPause) {
  const PolicyWatch watch(policy_, system_clock(), "token", task_, Heed::kHaltsAndPauses);
  policy_.pause(v1::Pause::CAUSE_CONSOLE, "lunch");
  policy_.halt("smoke");
  while (!task_.resumes().stop_requested()) std::this_thread::yield();
  EXPECT_TRUE(task_.halted());
}

TEST_F(PolicyWatchTest, DryRunIsNotHeldByAPause) {
  policy_.pause(v1::Pause::CAUSE_CONSOLE, "lunch");
  const PolicyWatch watch(policy_, system_clock(), "token", task_, Heed::kHalts);
  policy_.halt("smoke");
  while (!task_.halted()) std::this_thread::yield();
  EXPECT_FALSE(task_.held());
}

}  // namespace
}  // namespace da::planner
