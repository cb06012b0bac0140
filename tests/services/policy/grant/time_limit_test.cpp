#include "services/policy/grant/time_limit.h"

#include <gtest/gtest.h>

#include "tests/services/policy/steps.h"

namespace da::policy {
namespace {

TEST(TimeLimit, GrowsWithTheInputOfTheAction) {
  const auto base = execute_timeout(test::launch("x"));
  EXPECT_EQ(base, Milliseconds(30'000));
  auto slow = test::write(std::string(1000, 'a'));
  const auto quick = execute_timeout(slow);
  slow.mutable_write()->set_interval_ms(1000);
  EXPECT_GT(quick, base);
  EXPECT_EQ(execute_timeout(slow) - quick, Milliseconds(1'000'000));
}

TEST(TimeLimit, LeavesRoomForTheLongestText) {
  auto longest = test::write(std::string(80'000, 'a'));
  longest.mutable_write()->set_interval_ms(1000);
  EXPECT_GT(execute_timeout(longest), Milliseconds(80'000'000));
}

}  // namespace
}  // namespace da::policy
