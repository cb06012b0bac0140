// How many connections a server takes, so that its process never runs out of file descriptors: what has to be opened to
// stop things or to put them on record always can be.
#pragma once

#include <chrono>
#include <cstddef>

namespace da::os {

struct ConnectionLimits {
  // How long the kernel keeps a TCP connection that has sent nothing to itself, where it costs no descriptor.
  std::chrono::seconds kept_by_kernel;
  // Connections that have sent nothing yet: of one address, and in all. The oldest makes room for a new one.
  std::size_t silent_of_address;
  std::size_t silent;
  // Of one address that have spoken and may not have shown a certificate yet. The oldest makes room for a new one.
  std::size_t handshakes_of_address;
  // That were handed to the server, in all and of one peer. A new one is refused.
  std::size_t open;
  std::size_t open_of_peer;
  // Calls of one peer that run at a time, and in all. Each may need a descriptor. A new one is refused.
  std::size_t calls_of_peer;
  std::size_t calls;
  // A connection whose descriptor is not below this is closed: as the lowest free number is given, few are left.
  int highest_descriptor;

  // For a process that may open so many descriptors.
  static ConnectionLimits for_descriptors(std::size_t limit);
  // By RLIMIT_NOFILE.
  static ConnectionLimits of_process();
};

// Lets this process open as many descriptors as it may. Once, before threads start.
void raise_descriptor_limit();

}  // namespace da::os
