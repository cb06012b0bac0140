#include "lib/recording/lost_facts.h"

#include <gtest/gtest.h>

#include <limits>

namespace da::recording {
namespace {

constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();

std::uint64_t counted(std::uint64_t from, std::uint64_t to, std::uint64_t before = 0) {
  v1::RecordingGap gap;
  gap.set_from(from);
  gap.set_to(to);
  count_lost(gap, before);
  return before;
}

TEST(LostFacts, BothEndsAreCounted) {
  EXPECT_EQ(counted(7, 7), 1U);
  EXPECT_EQ(counted(7, 9, 10), 13U);
}

// Regression: a hostile mark was shown as 18446744073709551614 lost facts.
TEST(LostFacts, MarkWithItsEndBeforeItsBeginningCountsNothing) { EXPECT_EQ(counted(5, 2, 3), 3U); }

TEST(LostFacts, SumEndsAtTheLargestNumber) {
  EXPECT_EQ(counted(0, kLargest), kLargest);
  EXPECT_EQ(counted(1, kLargest), kLargest);
  EXPECT_EQ(counted(1, 2, kLargest - 1), kLargest);
  EXPECT_EQ(counted(0, kLargest, kLargest), kLargest);
}

}  // namespace
}  // namespace da::recording
