#include "services/actuator/desktop/win32/input/missed_input.h"

#include <gtest/gtest.h>

namespace da::actuator::win32 {
namespace {

constexpr std::uint32_t kBegin = 5'000;

TEST(MissedInput, InputThatTheHooksHaveSeenIsNotMissed) {
  MissedInput missed;
  missed.seen(kBegin);
  EXPECT_FALSE(missed.look(kBegin - 10, kBegin + 100'000));
  EXPECT_FALSE(missed.look(kBegin + MissedInput::kSlackMs, kBegin + 200'000)) << "its time is only roughly known";
}

TEST(MissedInput, InputThatTheHooksDoNotSeeInTimeIsMissed) {
  MissedInput missed;
  missed.seen(kBegin);
  const std::uint32_t input = kBegin + 10'000;
  EXPECT_FALSE(missed.look(input, input + 5));
  EXPECT_FALSE(missed.look(input, input + 5 + MissedInput::kLatestMs - 1));
  EXPECT_TRUE(missed.look(input, input + 5 + MissedInput::kLatestMs));
}

TEST(MissedInput, LateHookEndsTheSuspicion) {
  MissedInput missed;
  missed.seen(kBegin);
  const std::uint32_t input = kBegin + 10'000;
  EXPECT_FALSE(missed.look(input, input + 5));
  missed.seen(input + 900);
  EXPECT_FALSE(missed.look(input, input + 100'000));
}

TEST(MissedInput, ContinuousInputIsMissedToo) {
  MissedInput missed;
  missed.seen(kBegin);
  bool found = false;
  for (std::uint32_t time = kBegin + 1'000; time < kBegin + 4'000; time += 10) found |= missed.look(time, time);
  EXPECT_TRUE(found);
}

TEST(MissedInput, TicksMayWrapAround) {
  MissedInput missed;
  const std::uint32_t late = 0xffff'ff00;
  missed.seen(late);
  EXPECT_FALSE(missed.look(late + 1'000, late + 1'010));
  EXPECT_TRUE(missed.look(late + 1'000, late + 1'010 + MissedInput::kLatestMs));
  missed.seen(late + 3'000);
  EXPECT_FALSE(missed.look(late + 1'000, late + 10'000));
}

}  // namespace
}  // namespace da::actuator::win32
