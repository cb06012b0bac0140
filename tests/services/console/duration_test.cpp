#include "services/console/duration.h"

#include <gtest/gtest.h>

namespace da::console {
namespace {

TEST(Duration, IsANumberAndAUnit) {
  const std::pair<const char*, Milliseconds> durations[] = {
      {"1ms", Milliseconds(1)},          {"500ms", Milliseconds(500)},
      {"5s", Milliseconds(5000)},        {"90", Milliseconds(90'000)},
      {"0.5", Milliseconds(500)},        {"10m", Milliseconds(600'000)},
      {"1.5h", Milliseconds(5'400'000)}, {"2 H", Milliseconds(7'200'000)},
      {" 1e3ms ", Milliseconds(1000)},   {"1193h", Milliseconds(4'294'800'000)},
      {"4294967295ms", kLongestDuration}};
  for (const auto& [text, duration] : durations) {
    const auto parsed = parse_duration(text);
    ASSERT_TRUE(parsed) << text << ": " << parsed.error().message;
    EXPECT_EQ(*parsed, duration) << text;
  }
}

// Bug: such durations opened the write lock without a limit, or for another time.
TEST(Duration, ValueOutsideTheLimitsIsRefused) {
  for (const char* text : {"-5m", "-1ms", "0", "0s", "0.0001ms", "1e30h", "1e999h", "1194h", "4294967296ms",
                           "99999999999h", "nan", "inf", "infs", "-infh", "nanh"}) {
    const auto parsed = parse_duration(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, Code::kInvalidArgument);
    EXPECT_NE(parsed.error().message.find("from 1ms to 1193h"), std::string::npos) << parsed.error().message;
  }
}

TEST(Duration, OtherTextsAreRefused) {
  for (const char* text : {"", " ", "soon", "s", "5 minutes", "5s5", "1d", "5,5s", "0x10s", "--5s", "5\xff"}) {
    EXPECT_FALSE(parse_duration(text)) << text;
  }
}

}  // namespace
}  // namespace da::console
