// Parses durations on the command line: "500ms", "5s", "10m", "1.5h", "90" (seconds). Pure; any thread.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::console {

// The services' messages hold durations as 32-bit milliseconds; 0 means no limit or the default, so it is not allowed.
constexpr Milliseconds kShortestDuration{1};
constexpr Milliseconds kLongestDuration{std::numeric_limits<std::uint32_t>::max()};

// Cuts off parts of a millisecond. kInvalidArgument outside kShortestDuration to kLongestDuration.
Result<Milliseconds> parse_duration(std::string_view text);

}  // namespace da::console
