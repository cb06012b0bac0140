#include "lib/os/network/connection_limits.h"

#include <algorithm>

namespace da::os {

ConnectionLimits ConnectionLimits::for_descriptors(std::size_t limit) {
  const std::size_t kept_free = std::clamp<std::size_t>(limit / 8, 16, 256);
  return {.kept_by_kernel = std::chrono::seconds(1),
          .silent_of_address = std::clamp<std::size_t>(limit / 4, 16, 512),
          .silent = std::clamp<std::size_t>(limit * 5 / 16, 20, 2048),
          .handshakes_of_address = std::clamp<std::size_t>(limit / 16, 8, 128),
          .open = std::clamp<std::size_t>(limit / 4, 16, 4096),
          .open_of_peer = std::clamp<std::size_t>(limit / 16, 8, 64),
          .calls_of_peer = std::clamp<std::size_t>(limit / 16, 16, 256),
          .calls = std::clamp<std::size_t>(limit / 8, 32, 1024),
          .highest_descriptor = static_cast<int>(limit - std::min(limit, kept_free))};
}

}  // namespace da::os
