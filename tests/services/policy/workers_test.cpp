#include "services/policy/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>

namespace da::policy {
namespace {

TEST(Workers, AJobStartsThoughOthersWait) {
  std::promise<void> release;
  const std::shared_future<void> released = release.get_future().share();
  Workers workers;
  for (int i = 0; i < 30; ++i) workers.run([released] { released.wait(); });
  std::promise<void> ran;
  workers.run([&] { ran.set_value(); });
  EXPECT_EQ(ran.get_future().wait_for(std::chrono::seconds(10)), std::future_status::ready);
  release.set_value();
}

TEST(Workers, AllJobsEndBeforeTheOwnerDoes) {
  std::atomic<int> ended = 0;
  {
    Workers workers;
    for (int i = 0; i < 200; ++i) workers.run([&] { ++ended; });
  }
  EXPECT_EQ(ended, 200);
}

}  // namespace
}  // namespace da::policy
