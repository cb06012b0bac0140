// Times of day in rules: "22:00-06:00" includes its first minute and excludes its last one. If the end is earlier than
// the start, the span crosses midnight. Pure; any thread.
#pragma once

#include <cstdint>
#include <string_view>

#include "lib/base/result.h"

namespace da::policy {

// Minutes since midnight.
using MinuteOfDay = std::uint32_t;

// "09:30". kInvalidArgument otherwise.
Result<MinuteOfDay> parse_minute(std::string_view text);

struct TimeSpan {
  MinuteOfDay from = 0;
  MinuteOfDay to = 0;

  static Result<TimeSpan> parse(std::string_view text);
  bool contains(MinuteOfDay minute) const;
  auto operator<=>(const TimeSpan&) const = default;
};

}  // namespace da::policy
