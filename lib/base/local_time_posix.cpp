#include <ctime>

#include "lib/base/clock.h"

namespace da {

std::uint32_t local_minute_of_day(WallTime time) {
  const std::time_t seconds = time.time_since_epoch().count() / 1'000'000'000;
  std::tm parts{};
  localtime_r(&seconds, &parts);
  return static_cast<std::uint32_t>(parts.tm_hour * 60 + parts.tm_min);
}

}  // namespace da
