#include <ctime>

#include "lib/base/clock.h"

namespace da {
namespace {

std::tm local_time(WallTime time) {
  const std::time_t seconds = time.time_since_epoch().count() / 1'000'000'000;
  std::tm parts{};
  localtime_r(&seconds, &parts);
  return parts;
}

}  // namespace

std::uint32_t local_minute_of_day(WallTime time) {
  const std::tm parts = local_time(time);
  return static_cast<std::uint32_t>(parts.tm_hour * 60 + parts.tm_min);
}

std::string local_day(WallTime time) {
  const std::tm parts = local_time(time);
  char text[32];
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%d", &parts));
}

}  // namespace da
