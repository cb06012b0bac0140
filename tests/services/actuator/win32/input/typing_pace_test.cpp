#include "services/actuator/desktop/win32/input/typing_pace.h"

#include <gtest/gtest.h>

namespace da::actuator::win32 {
namespace {

std::size_t after(int readings, Nanoseconds per_character) {
  TypingPace pace;
  for (int i = 0; i < readings; ++i) {
    pace.learn(pace.characters(), static_cast<std::int64_t>(pace.characters()) * per_character);
  }
  return pace.characters();
}

TEST(TypingPace, AQuickApplicationGetsSixteenCharactersAtATime) {
  EXPECT_EQ(after(0, Milliseconds(0)), 4U);
  EXPECT_EQ(after(1, Milliseconds(0)), 8U) << "one quick reading says little";
  EXPECT_EQ(after(10, Milliseconds(0)), TypingPace::kMost);
  EXPECT_EQ(after(10, Milliseconds(1)), TypingPace::kMost);
}

TEST(TypingPace, AnApplicationGetsAsManyCharactersAsItReadsInTwentyMilliseconds) {
  EXPECT_EQ(after(10, Milliseconds(5)), 4U);
  EXPECT_EQ(after(10, Milliseconds(2)), 10U);
}

TEST(TypingPace, ASlowApplicationGetsOneCharacterAtATime) {
  EXPECT_EQ(after(1, Milliseconds(100)), 1U);
  EXPECT_EQ(after(10, Milliseconds(20)), 1U);
}

TEST(TypingPace, AnApplicationThatBecomesSlowGetsLessAtOnce) {
  TypingPace pace;
  for (int i = 0; i < 3; ++i) pace.learn(pace.characters(), Milliseconds(1));
  ASSERT_EQ(pace.characters(), TypingPace::kMost);
  pace.learn(16, Milliseconds(80));
  EXPECT_EQ(pace.characters(), 4U);
}

}  // namespace
}  // namespace da::actuator::win32
