#include "services/planner/rules/run/cycle_pace.h"

#include <gtest/gtest.h>

namespace da::planner::rules {
namespace {

constexpr Milliseconds kPaceInterval{1'000};

MonoTime tick_at(int ms) { return MonoTime(Milliseconds(10'000 + ms)); }

class CyclePaceTest : public testing::Test {
 protected:
  CyclePace pace_{kPaceInterval};
};

TEST_F(CyclePaceTest, TicksFollowTheBeginOfACycle) {
  pace_.begin(tick_at(0));
  EXPECT_EQ(pace_.next_tick(), tick_at(1'000));
  pace_.begin(tick_at(1'003));
  EXPECT_EQ(pace_.next_tick(), tick_at(2'003));
}

TEST_F(CyclePaceTest, EarlyCycleDoesNotDelayTheNextTick) {
  pace_.begin(tick_at(0));
  pace_.begin(tick_at(700));
  EXPECT_EQ(pace_.next_tick(), tick_at(1'000));
  EXPECT_EQ(pace_.rested(), tick_at(1'700));
}

TEST_F(CyclePaceTest, EarlyCyclesTakeAtMostAFifthOfTheTime) {
  pace_.begin(tick_at(0));
  pace_.looked(tick_at(100), Milliseconds(100));
  EXPECT_EQ(pace_.early_from(), tick_at(500));
  pace_.looked(tick_at(1), Milliseconds(1));
  EXPECT_EQ(pace_.early_from(), tick_at(41)) << "at least 40 ms";
}

TEST_F(CyclePaceTest, SlowLookDoesNotDelayTheNextTick) {
  pace_.begin(tick_at(0));
  pace_.looked(tick_at(400), Milliseconds(400));
  EXPECT_EQ(pace_.early_from(), tick_at(1'000));
}

TEST_F(CyclePaceTest, ARestEndsAtATick) {
  pace_.begin(tick_at(0));
  EXPECT_EQ(pace_.tick_from(tick_at(300)), tick_at(1'000));
  EXPECT_EQ(pace_.tick_from(tick_at(1'000)), tick_at(1'000));
  EXPECT_EQ(pace_.tick_from(tick_at(1'001)), tick_at(2'000));
  EXPECT_EQ(pace_.tick_from(tick_at(3'000)), tick_at(3'000));
}

TEST_F(CyclePaceTest, SkippedTicksAreCounted) {
  pace_.begin(tick_at(0));
  EXPECT_EQ(pace_.skip_ticks(tick_at(999)), 0U);
  EXPECT_EQ(pace_.skip_ticks(tick_at(1'000)), 0U) << "a cycle may still begin at this one";
  EXPECT_EQ(pace_.skip_ticks(tick_at(3'500)), 3U);
  EXPECT_EQ(pace_.next_tick(), tick_at(4'000));
}

}  // namespace
}  // namespace da::planner::rules
