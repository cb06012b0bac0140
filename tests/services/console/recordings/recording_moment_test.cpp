#include "services/console/recordings/moment.h"

#include <gtest/gtest.h>

namespace da::console {
namespace {

constexpr std::uint64_t kStart = 1'795'572'595'902'000'000;  // 2026-11-25T02:09:55.902Z

TEST(Moment, SecondsCountFromTheBeginning) {
  EXPECT_EQ(*parse_moment("+0", kStart), kStart);
  EXPECT_EQ(*parse_moment("+2.5", kStart), kStart + 2'500'000'000);
  EXPECT_EQ(*parse_moment("+1m", kStart), kStart + 60'000'000'000);
}

TEST(Moment, UtcIsAbsolute) {
  EXPECT_EQ(*parse_moment("2026-11-25T02:09:55Z", 0), kStart - 902'000'000);
  EXPECT_EQ(*parse_moment("1970-01-01T00:00:01.5Z", kStart), 1'500'000'000u);
}

TEST(Moment, OtherTextsAreRefused) {
  for (const char* text : {"", "x", "+", "+x", "2026-11-25", "2026-11-25T02:09:55", "2026-11-25T02:09:55.Z",
                           "1960-01-01T00:00:00Z", "2026-11-25T02:09:55Zx"}) {
    EXPECT_EQ(parse_moment(text, kStart).error().code, Code::kInvalidArgument) << text;
  }
}

}  // namespace
}  // namespace da::console
