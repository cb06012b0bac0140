// Connections of sockets that listen. POSIX. Any thread.
#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <optional>
#include <string>

namespace da::os {

// Who is at the other end of a connection.
struct Caller {
  // The host (of IPv6, its network of 64 bits), or the process of a local socket.
  std::string address;
  // As gRPC names the connection ("ipv4:10.0.0.2:40100"); empty of a local socket.
  std::string name;

  static Caller of(int connection);
};

// A connection whose descriptor belongs to somebody who may close it at any time. The number may be another file's by
// then, so that it is compared with the file's own number, which is used again only after it is closed.
class ForeignConnection {
 public:
  // nullopt where it is closed already.
  static std::optional<ForeignConnection> of(int descriptor);

  bool is_open() const;
  // Whether nothing has come on it so far; false where that cannot be known.
  bool is_silent() const;
  // Shuts it in both directions, so that its owner closes it.
  void end() const;

 private:
  ForeignConnection(int descriptor, ino_t inode) : descriptor_(descriptor), inode_(inode) {}

  int descriptor_;
  ino_t inode_;
};

}  // namespace da::os
