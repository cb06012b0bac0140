// The time format of Windows' files: steps of 100 ns since 1601. Pure.
#pragma once

#include <cstdint>

#include "lib/base/clock.h"

namespace da::actuator {

constexpr std::int64_t kUnixEpochTicks = 116'444'736'000'000'000;  // 1970.
constexpr std::int64_t kNanosecondsATick = 100;

constexpr std::int64_t to_unix_ns(std::int64_t file_time) { return (file_time - kUnixEpochTicks) * kNanosecondsATick; }
constexpr std::int64_t to_file_time(WallTime time) {
  return time.time_since_epoch().count() / kNanosecondsATick + kUnixEpochTicks;
}

}  // namespace da::actuator
