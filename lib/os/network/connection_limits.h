// Limits on connections, so that descriptors are always left for stopping actions and writing the audit log.
#pragma once

#include <chrono>
#include <cstddef>

namespace da::os {

struct ConnectionLimits {
  // How long the kernel keeps a TCP connection that has sent nothing, before it costs a descriptor.
  std::chrono::seconds kept_by_kernel;
  // Connections that have sent nothing yet: from one address, and in total. The oldest is closed for a new one.
  std::size_t silent_of_address;
  std::size_t silent;
  // Connections from one address with data but perhaps no certificate yet. The oldest is closed for a new one.
  std::size_t handshakes_of_address;
  // Connections handed to the server: in total (one is closed for a new one), and of one peer (a new one is refused).
  std::size_t open;
  std::size_t open_of_peer;
  // Concurrent calls: of one peer, and in total. Each may need a descriptor. A new one is refused.
  std::size_t calls_of_peer;
  std::size_t calls;
  // Connections from this descriptor on are closed. The kernel gives the lowest free number, so few are left then.
  int highest_descriptor;

  // `limit`: how many descriptors the process may open.
  static ConnectionLimits for_descriptors(std::size_t limit);
  // Derives the limits from RLIMIT_NOFILE. Windows has no such limit: they are those for 1,024 descriptors, without a
  // highest descriptor.
  static ConnectionLimits of_process();
};

// Raises RLIMIT_NOFILE to its hard limit, where there is one. Call once, before threads start.
void raise_descriptor_limit();

}  // namespace da::os
