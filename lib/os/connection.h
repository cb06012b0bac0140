// Peers of accepted connections. POSIX. Any thread.
#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <optional>
#include <string>

namespace da::os {

struct Caller {
  // The host's address (for IPv6 its 64-bit network), or the process of a local socket.
  std::string address;
  // gRPC's name of the connection ("ipv4:10.0.0.2:40100"); empty for a local socket.
  std::string name;

  static Caller of(int connection);
};

// A connection whose descriptor another owner may close at any time. The number may then name another file, so the
// socket's inode is compared too: the kernel reuses an inode only after the socket is closed.
class ForeignConnection {
 public:
  // nullopt if the descriptor is closed already.
  static std::optional<ForeignConnection> of(int descriptor);

  bool is_open() const;
  // Whether the peer has sent nothing so far; false if unknown.
  bool is_silent() const;
  // Shuts down both directions, so that the owner closes the connection.
  void shut_down() const;

 private:
  ForeignConnection(int descriptor, ino_t inode) : descriptor_(descriptor), inode_(inode) {}

  int descriptor_;
  ino_t inode_;
};

}  // namespace da::os
