#include "services/console/replay/playback/replay_pace.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>

namespace da::console {
namespace {

constexpr WallTime kBegin{std::chrono::hours(1)};
constexpr std::chrono::seconds kSoon{5};

TEST(ReplayPace, WaitEndsAtTheRecordedTime) {
  ReplayPace pace(kBegin, 10);
  pace.begin();
  const MonoTime begin = system_clock().now();
  pace.wait_for(kBegin + std::chrono::milliseconds(500));
  EXPECT_GE(system_clock().now() - begin, std::chrono::milliseconds(50));
}

// Regression: the last calls of a replay that a person interrupts were answered at their recorded times.
TEST(ReplayPace, EndOfTheReplayEndsAWait) {
  ReplayPace pace(kBegin);
  pace.begin();
  auto waiting = std::async(std::launch::async, [&] { pace.wait_for(kBegin + std::chrono::hours(1)); });
  EXPECT_EQ(waiting.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  pace.end();
  EXPECT_EQ(waiting.wait_for(kSoon), std::future_status::ready);
}

// Regression: a wait that began during a pause never ended.
TEST(ReplayPace, ResumeIsNoticedByAWait) {
  ReplayPace pace(kBegin, 1);
  pace.begin();
  pace.pause();
  auto waiting = std::async(std::launch::async, [&] { pace.wait_for(kBegin + std::chrono::milliseconds(10)); });
  EXPECT_EQ(waiting.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  pace.resume();
  EXPECT_EQ(waiting.wait_for(kSoon), std::future_status::ready);
}

}  // namespace
}  // namespace da::console
