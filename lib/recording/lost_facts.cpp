#include "lib/recording/lost_facts.h"

#include <algorithm>
#include <limits>

namespace da::recording {

void count_lost(const v1::RecordingGap& gap, std::uint64_t& count) {
  if (gap.to() < gap.from()) return;
  constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t before_last = gap.to() - gap.from();  // One less than the facts, which may not fit.
  count += std::min(before_last, kLargest - count);
  if (count < kLargest) ++count;
}

}  // namespace da::recording
