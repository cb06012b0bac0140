#include "lib/bus/sequence_gaps.h"

#include <algorithm>

namespace da::bus {

std::optional<Gap> SequenceGaps::note(const std::string& topic, const std::string& instance, std::uint64_t sequence,
                                      std::uint64_t arrived) {
  const auto [known, first] = last_.try_emplace(topic, Last{instance, sequence});
  if (first) return std::nullopt;
  Last& last = known->second;
  const std::uint64_t expected = instance == last.instance ? last.sequence + 1 : 1;
  last.sequence = instance == last.instance ? std::max(last.sequence, sequence) : sequence;
  last.instance = instance;
  if (arrived <= expected) return std::nullopt;
  return Gap{instance, topic, expected, arrived - 1};
}

}  // namespace da::bus
