// Counts the facts that the marks of a recording name as lost. Pure; any thread.
#pragma once

#include <cstdint>

#include "da/v1/recording.pb.h"

namespace da::recording {

// Adds the facts of a mark to `count`. A publisher or a foreign file chooses the numbers: a mark whose end is before
// its beginning adds nothing, and a sum that is too large for the type becomes its largest number.
void count_lost(const v1::RecordingGap& gap, std::uint64_t& count);

}  // namespace da::recording
