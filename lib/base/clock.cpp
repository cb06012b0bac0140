#include "lib/base/clock.h"

#include <algorithm>

namespace da {

MonoTime SystemClock::now() const { return std::chrono::steady_clock::now(); }
WallTime SystemClock::wall_now() const { return std::chrono::system_clock::now(); }

const Clock& system_clock() {
  static const SystemClock clock;
  return clock;
}

std::string format_wall(WallTime time) {
  const auto millis = static_cast<int>(time.time_since_epoch().count() / 1'000'000 % 1000);
  const auto midnight = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(midnight);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(time - midnight));
  // Written digit by digit: every audit record has a time, and snprintf takes longer than hashing the record.
  std::string text = "0000-00-00T00:00:00.000Z";
  const auto put = [&text](std::size_t end, int value) {
    for (; value > 0; value /= 10) text[--end] = static_cast<char>('0' + value % 10);
  };
  put(4, std::clamp(static_cast<int>(date.year()), 0, 9999));
  put(7, static_cast<int>(unsigned{date.month()}));
  put(10, static_cast<int>(unsigned{date.day()}));
  put(13, static_cast<int>(clock.hours().count()));
  put(16, static_cast<int>(clock.minutes().count()));
  put(19, static_cast<int>(clock.seconds().count()));
  put(23, std::max(millis, 0));
  return text;
}

}  // namespace da
