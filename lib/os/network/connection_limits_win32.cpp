#include <limits>

#include "lib/os/network/connection_limits.h"

namespace da::os {
namespace {

// Windows gives a process millions of handles, so memory and threads are what strangers could use up.
constexpr std::size_t kConnections = 1'024;

}  // namespace

ConnectionLimits ConnectionLimits::of_process() {
  ConnectionLimits limits = for_descriptors(kConnections);
  // The value of a handle does not tell how many are open.
  limits.highest_descriptor = std::numeric_limits<int>::max();
  return limits;
}

void raise_descriptor_limit() {}

}  // namespace da::os
