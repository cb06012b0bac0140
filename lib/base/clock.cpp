#include "lib/base/clock.h"

#include <algorithm>
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
  // Written digit by digit: every audit record has a time, and snprintf takes longer than hashing the record.
  std::string text = "0000-00-00T00:00:00.000Z";
  const auto put = [&text](std::size_t end, int value) {
    for (; value > 0; value /= 10) text[--end] = static_cast<char>('0' + value % 10);
  };
  put(4, std::clamp(parts.tm_year + 1900, 0, 9999));
  put(7, parts.tm_mon + 1);
  put(10, parts.tm_mday);
  put(13, parts.tm_hour);
  put(16, parts.tm_min);
  put(19, parts.tm_sec);
  put(23, std::max(millis, 0));
  return text;
}

}  // namespace da
