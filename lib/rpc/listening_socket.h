// Listens at a configured address: "unix:/run/x.sock", "ipv4:10.0.0.3:7443", "ipv6:[::1]:7443" or "host:7443". The
// destructor removes its socket file. POSIX. Owner's thread.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>

#include "lib/base/result.h"
#include "lib/os/unique_fd.h"

namespace da::rpc {

class ListeningSocket {
 public:
  // Does not block. Replaces a socket file of a dead process. `kept_by_kernel`: see os::ConnectionLimits. Errors:
  // kAlreadyExists (another process listens there), kUnavailable, kInvalidArgument.
  static Result<ListeningSocket> open(const std::string& address,
                                      std::chrono::seconds kept_by_kernel = std::chrono::seconds(0));
  ~ListeningSocket();
  ListeningSocket(ListeningSocket&&) = default;
  ListeningSocket& operator=(ListeningSocket&&) = delete;

  int descriptor() const { return socket_.get(); }

 private:
  ListeningSocket(os::UniqueFd socket, std::string path);

  os::UniqueFd socket_;
  std::string path_;  // Path of the socket file; empty for TCP.
  ino_t inode_ = 0;   // Inode of the socket file: a successor may have replaced it.
};

}  // namespace da::rpc
