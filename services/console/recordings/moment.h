// Parses a moment of a recording on the command line: "2026-11-25T02:09:55.123Z", or "+2.5" (seconds after the
// beginning of the recording) or "+1m". Pure; any thread.
#pragma once

#include <cstdint>
#include <string_view>

#include "lib/base/result.h"

namespace da::console {

// Returns nanoseconds since the Unix epoch. `start_ns`: the beginning of the recording.
Result<std::uint64_t> parse_moment(std::string_view text, std::uint64_t start_ns);

}  // namespace da::console
