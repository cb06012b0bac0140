#include "services/policy/judgement/time_of_day.h"

#include <gtest/gtest.h>

namespace da::policy {
namespace {

TEST(TimeOfDay, SpanIncludesItsStartAndExcludesItsEnd) {
  const auto day = *TimeSpan::parse("09:00-17:30");
  EXPECT_FALSE(day.contains(*parse_minute("08:59")));
  EXPECT_TRUE(day.contains(*parse_minute("09:00")));
  EXPECT_TRUE(day.contains(*parse_minute("17:29")));
  EXPECT_FALSE(day.contains(*parse_minute("17:30")));
}

TEST(TimeOfDay, SpanMayCrossMidnight) {
  const auto night = *TimeSpan::parse("22:00-06:00");
  EXPECT_TRUE(night.contains(*parse_minute("23:59")));
  EXPECT_TRUE(night.contains(*parse_minute("00:00")));
  EXPECT_FALSE(night.contains(*parse_minute("06:00")));
  EXPECT_FALSE(night.contains(*parse_minute("12:00")));
}

TEST(TimeOfDay, InvalidTimesAreErrors) {
  for (const char* text : {"", "9:00-17:00", "09:00", "09:00-", "24:00-01:00", "09:60-10:00", "09:00-09:00",
                           "09:00-10:00 ", "09.00-10.00", "-1:00-02:00"}) {
    EXPECT_FALSE(TimeSpan::parse(text)) << text;
  }
}

}  // namespace
}  // namespace da::policy
