#include "lib/os/network/accept_bound.h"

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <limits>

namespace {

std::atomic<int> highest_allowed = std::numeric_limits<int>::max();

}  // namespace

extern "C" int accept4(int listener, sockaddr* address, socklen_t* length, int flags) {
  const auto descriptor = static_cast<int>(::syscall(SYS_accept4, listener, address, length, flags));
  if (descriptor < highest_allowed.load(std::memory_order_relaxed)) return descriptor;
  ::close(descriptor);
  errno = ECONNABORTED;
  return -1;
}

namespace da::os {

void keep_descriptors_from_connections(int highest_descriptor) { highest_allowed = highest_descriptor; }

}  // namespace da::os
