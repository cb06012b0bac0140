// A socket that listens at an address of the configuration: "unix:/run/x.sock", "ipv4:10.0.0.3:7443", "ipv6:[::1]:7443"
// or "host:7443". Its file, where it has one, goes with it. POSIX. Owner's thread.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>

#include "lib/base/result.h"
#include "lib/os/unique_fd.h"

namespace da::rpc {

class ListeningSocket {
 public:
  // Does not block. A socket file that a dead process left is replaced. Errors: kAlreadyExists (somebody listens
  // there), kUnavailable, kInvalidArgument.
  // `kept_by_kernel`: see os::ConnectionLimits.
  static Result<ListeningSocket> open(const std::string& address,
                                      std::chrono::seconds kept_by_kernel = std::chrono::seconds(0));
  ~ListeningSocket();
  ListeningSocket(ListeningSocket&&) = default;
  ListeningSocket& operator=(ListeningSocket&&) = delete;

  int descriptor() const { return socket_.get(); }

 private:
  ListeningSocket(os::UniqueFd socket, std::string path);

  os::UniqueFd socket_;
  std::string path_;  // Of its file; empty where it has none.
  ino_t inode_ = 0;   // Of that file: the path may be a successor's by now.
};

}  // namespace da::rpc
