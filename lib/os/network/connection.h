// Connections that a listening socket accepts, and their peers. Any thread. A connection is a descriptor; on Windows a
// SOCKET.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace da::os {

struct Caller {
  // The host's address (for IPv6 its 64-bit network), or the process of a local socket.
  std::string address;
  // gRPC's name of the connection ("ipv4:10.0.0.2:40100"); empty for a local socket.
  std::string name;

  static Caller of(std::intptr_t connection);
};

// The kernel keeps a new connection of this listening socket until it has sent something, or about so long. Local
// sockets and Windows ignore this.
void keep_silent_connections_in_kernel(std::intptr_t listener, std::chrono::seconds time);

// A connection whose descriptor another owner may close at any time. The number may then name another file, so an
// identity is compared too. Linux: the socket's inode, which the kernel reuses only after the socket is closed.
// Windows: both of its addresses; it may be closed and its number be used again between the comparison and shut_down().
class ForeignConnection {
 public:
  // nullopt if the descriptor is closed already.
  static std::optional<ForeignConnection> of(std::intptr_t descriptor);

  bool is_open() const;
  // Whether the peer has sent nothing so far; false if unknown.
  bool is_silent() const;
  // Shuts down both directions, so that the owner closes the connection.
  void shut_down() const;

 private:
  ForeignConnection(std::intptr_t descriptor, std::uint64_t identity) : descriptor_(descriptor), identity_(identity) {}

  std::intptr_t descriptor_;
  std::uint64_t identity_;
};

}  // namespace da::os
