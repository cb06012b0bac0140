#include "services/policy/stopping/background_work.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <vector>

namespace da::policy {
namespace {

TEST(BackgroundWork, WorkRunsInOrder) {
  BackgroundWork work;
  std::vector<int> done;
  for (int i = 0; i < 100; ++i) work.add([&done, i] { done.push_back(i); });
  ASSERT_TRUE(work.wait_until_done(Milliseconds(20'000)));
  ASSERT_EQ(done.size(), 100u);
  EXPECT_TRUE(std::ranges::is_sorted(done));
}

TEST(BackgroundWork, WaitTimesOutForHangingWork) {
  std::promise<void> goes_on;
  BackgroundWork work;
  work.add([&] { goes_on.get_future().wait(); });
  EXPECT_FALSE(work.wait_until_done(Milliseconds(10)));
  goes_on.set_value();
  EXPECT_TRUE(work.wait_until_done(Milliseconds(20'000)));
}

TEST(BackgroundWork, DestructorFinishesQueuedWork) {
  std::atomic<int> done = 0;
  {
    BackgroundWork work;
    for (int i = 0; i < 100; ++i) work.add([&done] { ++done; });
  }
  EXPECT_EQ(done, 100);
}

}  // namespace
}  // namespace da::policy
