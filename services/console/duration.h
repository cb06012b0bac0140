// A duration as a person writes it: "500ms", "5s", "10m", "1.5h", "90" (seconds). Pure; any thread.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::console {

// In the services' messages a duration is milliseconds in 32 bits, and 0 means that there is no bound or the default
// one: what would be less than 1 must not become that.
constexpr Milliseconds kShortestDuration{1};
constexpr Milliseconds kLongestDuration{std::numeric_limits<std::uint32_t>::max()};

// From kShortestDuration to kLongestDuration, a part of a millisecond cut off; else kInvalidArgument, which says what
// is allowed.
Result<Milliseconds> parse_duration(std::string_view text);

}  // namespace da::console
