#include "services/policy/approval/write_lock.h"

#include <gtest/gtest.h>

#include <future>

namespace da::policy {
namespace {

using std::chrono::minutes;

TEST(WriteLock, IsClosedAtStart) {
  const ManualClock clock;
  const WriteLock lock(clock);
  EXPECT_EQ(lock.view("t"), WriteLockView::kClosed);
  EXPECT_FALSE(lock.state().open());
  EXPECT_EQ(lock.describe(), "closed");
}

TEST(WriteLock, ClosesWhenItsTimeHasRunOut) {
  ManualClock clock;
  WriteLock lock(clock);
  lock.unlock(minutes(10), 0, "ada");
  EXPECT_EQ(lock.view("t"), WriteLockView::kOpen);
  EXPECT_EQ(lock.state().until_wall_ns(), (clock.wall_now() + minutes(10)).time_since_epoch().count());
  clock.advance(minutes(10) - Nanoseconds(1));
  EXPECT_EQ(lock.view("t"), WriteLockView::kOpen);
  clock.advance(Nanoseconds(1));
  EXPECT_EQ(lock.view("t"), WriteLockView::kClosed);
  EXPECT_EQ(lock.state().by(), "expiry");
}

TEST(WriteLock, StaysOpenUntilLockedWithoutATimeLimit) {
  ManualClock clock;
  WriteLock lock(clock);
  lock.unlock(Milliseconds(0), 0, "ada");
  clock.advance(std::chrono::hours(1000));
  EXPECT_EQ(lock.view("t"), WriteLockView::kOpen);
  EXPECT_EQ(lock.state().by(), "ada");
  lock.lock("bob");
  EXPECT_EQ(lock.view("t"), WriteLockView::kClosed);
  EXPECT_EQ(lock.state().by(), "bob");
}

TEST(WriteLock, OpensForOneTaskAlone) {
  const ManualClock clock;
  WriteLock lock(clock);
  lock.unlock_for_task("t1", "ada");
  EXPECT_EQ(lock.view("t1"), WriteLockView::kOpen);
  EXPECT_EQ(lock.view("t2"), WriteLockView::kClosed);
  EXPECT_TRUE(lock.end_task("t1"));
  EXPECT_FALSE(lock.end_task("t1"));
  EXPECT_EQ(lock.view("t1"), WriteLockView::kClosed);
}

TEST(WriteLock, ClosesAfterItsLastStep) {
  const ManualClock clock;
  WriteLock lock(clock);
  lock.unlock(Milliseconds(0), 2, "ada");
  EXPECT_EQ(lock.state().steps_left(), 2u);
  EXPECT_EQ(lock.use("t"), WriteLock::Use::kOpen);
  EXPECT_EQ(lock.view("t"), WriteLockView::kOpen);
  EXPECT_EQ(lock.use("t"), WriteLock::Use::kLastStep);
  EXPECT_EQ(lock.view("t"), WriteLockView::kClosed);
  EXPECT_EQ(lock.use("t"), WriteLock::Use::kClosed);
  EXPECT_EQ(lock.state().by(), "the last of its steps");
}

TEST(WriteLock, OpeningOfATaskTakesNoStepFromTheGeneralOne) {
  const ManualClock clock;
  WriteLock lock(clock);
  lock.unlock(Milliseconds(0), 1, "ada");
  lock.unlock_for_task("t1", "ada");
  EXPECT_EQ(lock.use("t1"), WriteLock::Use::kOpen);
  EXPECT_EQ(lock.view("t2"), WriteLockView::kOpen);
}

TEST(WriteLock, LockingAlsoClosesOpeningsOfTasks) {
  const ManualClock clock;
  WriteLock lock(clock);
  lock.unlock_for_task("t1", "ada");
  lock.lock("bob");
  EXPECT_EQ(lock.view("t1"), WriteLockView::kClosed);
}

TEST(WriteLock, WaiterIsNotifiedWhenTheTimeHasRunOut) {
  ManualClock clock;
  WriteLock lock(clock);
  lock.unlock(minutes(1), 0, "ada");
  std::stop_source stop;
  auto waiting = std::async(std::launch::async, [&] { return lock.wait_until_run_out(stop.get_token()); });
  clock.advance(minutes(1));
  lock.wake();
  EXPECT_TRUE(waiting.get());
  EXPECT_FALSE(lock.state().open());
  auto stopped = std::async(std::launch::async, [&] { return lock.wait_until_run_out(stop.get_token()); });
  stop.request_stop();
  EXPECT_FALSE(stopped.get());
}

}  // namespace
}  // namespace da::policy
