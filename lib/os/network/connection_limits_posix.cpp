#include <sys/resource.h>

#include <algorithm>

#include "lib/os/network/connection_limits.h"

namespace da::os {
namespace {

// More than any service needs. Limits are computed from at most this many descriptors.
constexpr std::size_t kMostDescriptors = 65'536;

std::size_t descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;
  return static_cast<std::size_t>(std::min<rlim_t>(limit.rlim_cur, kMostDescriptors));
}

}  // namespace

ConnectionLimits ConnectionLimits::of_process() { return for_descriptors(descriptor_limit()); }

void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, kMostDescriptors);
  (void)::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace da::os
