#include "services/policy/approval/write_lock.h"

#include <gtest/gtest.h>

#include <future>

namespace da::policy {
namespace {

using std::chrono::minutes;

TEST(WriteLock, IsClosedAtStart) {
  const ManualClock clock;
  const WriteLock lock(clock);
  EXPECT_EQ(lock.view({}), WriteLockView::kClosed);
  EXPECT_FALSE(lock.state().open());
  EXPECT_EQ(lock.describe(), "closed");
}

TEST(WriteLock, ClosesWhenItsTimeHasRunOut) {
  ManualClock clock;
  WriteLock lock(clock);
  lock.unlock(minutes(10), 0, "ada");
  EXPECT_EQ(lock.view({}), WriteLockView::kOpen);
  EXPECT_EQ(lock.state().until_wall_ns(), (clock.wall_now() + minutes(10)).time_since_epoch().count());
  clock.advance(minutes(10) - Nanoseconds(1));
  EXPECT_EQ(lock.view({}), WriteLockView::kOpen);
  clock.advance(Nanoseconds(1));
  EXPECT_EQ(lock.view({}), WriteLockView::kClosed);
  EXPECT_EQ(lock.state().by(), "expiry");
}

TEST(WriteLock, StaysOpenUntilLockedWithoutATimeLimit) {
  ManualClock clock;
  WriteLock lock(clock);
  lock.unlock(Milliseconds(0), 0, "ada");
  clock.advance(std::chrono::hours(1000));
  EXPECT_EQ(lock.view({}), WriteLockView::kOpen);
  EXPECT_EQ(lock.state().by(), "ada");
  lock.lock("bob");
  EXPECT_EQ(lock.view({}), WriteLockView::kClosed);
  EXPECT_EQ(lock.state().by(), "bob");
}

TEST(WriteLock, OpensForOneTaskAlone) {
  const ManualClock clock;
  WriteLock lock(clock);
  const auto task = lock.unlock_for_task();
  EXPECT_EQ(lock.view(task), WriteLockView::kOpen);
  EXPECT_TRUE(lock.is_open_for(task));
  EXPECT_EQ(lock.view({}), WriteLockView::kClosed);
  EXPECT_FALSE(lock.is_open_for({}));
}

TEST(WriteLock, ClosesAfterItsLastStep) {
  const ManualClock clock;
  WriteLock lock(clock);
  lock.unlock(Milliseconds(0), 2, "ada");
  EXPECT_EQ(lock.state().steps_left(), 2u);
  EXPECT_EQ(lock.use({}), WriteLock::Use::kOpen);
  EXPECT_EQ(lock.view({}), WriteLockView::kOpen);
  EXPECT_EQ(lock.use({}), WriteLock::Use::kLastStep);
  EXPECT_EQ(lock.view({}), WriteLockView::kClosed);
  EXPECT_EQ(lock.use({}), WriteLock::Use::kClosed);
  EXPECT_EQ(lock.state().by(), "the last of its steps");
}

TEST(WriteLock, OpeningOfATaskTakesNoStepFromTheGeneralOne) {
  const ManualClock clock;
  WriteLock lock(clock);
  lock.unlock(Milliseconds(0), 1, "ada");
  EXPECT_EQ(lock.use(lock.unlock_for_task()), WriteLock::Use::kOpen);
  EXPECT_EQ(lock.view({}), WriteLockView::kOpen);
}

TEST(WriteLock, LockingAlsoClosesOpeningsOfTasks) {
  const ManualClock clock;
  WriteLock lock(clock);
  const auto task = lock.unlock_for_task();
  lock.lock("bob");
  EXPECT_EQ(lock.view(task), WriteLockView::kClosed);
  EXPECT_EQ(lock.view(lock.unlock_for_task()), WriteLockView::kOpen) << "a later opening holds";
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
