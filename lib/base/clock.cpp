#include "lib/base/clock.h"

#include <array>
#include <cstdio>
#include <ctime>

namespace da {

MonoTime SystemClock::now() const { return std::chrono::steady_clock::now(); }
WallTime SystemClock::wall_now() const { return std::chrono::system_clock::now(); }

const Clock& system_clock() {
  static const SystemClock clock;
  return clock;
}

std::uint32_t local_minute_of_day(WallTime time) {
  const std::time_t seconds = time.time_since_epoch().count() / 1'000'000'000;
  std::tm parts{};
  localtime_r(&seconds, &parts);
  return static_cast<std::uint32_t>(parts.tm_hour * 60 + parts.tm_min);
}

std::string format_wall(WallTime time) {
  const auto ns = time.time_since_epoch().count();
  const std::time_t seconds = ns / 1'000'000'000;
  const auto millis = static_cast<int>(ns / 1'000'000 % 1000);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 96> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", parts.tm_year + 1900, parts.tm_mon + 1,
                parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, millis);
  return text.data();
}

}  // namespace da
