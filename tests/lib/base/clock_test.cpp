#include "lib/base/clock.h"

#include <gtest/gtest.h>

namespace da {
namespace {

WallTime at(std::int64_t seconds, std::int64_t nanoseconds = 0) {
  return WallTime(std::chrono::seconds(seconds) + Nanoseconds(nanoseconds));
}

TEST(FormatWall, SaysUtcWithMilliseconds) {
  EXPECT_EQ(format_wall(at(0)), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(format_wall(at(951'827'696, 7'000'000)), "2000-02-29T12:34:56.007Z");
  EXPECT_EQ(format_wall(at(1'798'761'599, 999'999'999)), "2026-12-31T23:59:59.999Z");
  EXPECT_EQ(format_wall(at(9'214'646'400)), "2262-01-01T00:00:00.000Z");
}

}  // namespace
}  // namespace da
