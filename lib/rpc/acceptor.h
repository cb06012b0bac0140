// Accepts connections at one address and hands them to the server after their first byte.
//
// A connection waits here for its first byte, at most five seconds, without cost for the server. If too many wait, the
// oldest one of the address with the most is closed. A real peer speaks as soon as it is connected. So silent
// connections, however many, use up neither the process's descriptors nor the server. os::Caller defines a connection's
// address. POSIX. Accepts on a thread of its own; any thread may call. Errors: see ListeningSocket::open().
#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/os/network/connection.h"
#include "lib/os/network/connection_limits.h"
#include "lib/os/unique_fd.h"
#include "lib/rpc/listening_socket.h"

namespace da::rpc {

class Acceptor {
 public:
  // Runs on the acceptor's thread. The callee must close a connection without a certificate after kHandshakeTime.
  using HandOn = std::function<void(os::UniqueFd connection)>;

  static constexpr Milliseconds kHandshakeTime{5'000};

  static Result<std::unique_ptr<Acceptor>> listen(const std::string& address, const os::ConnectionLimits& limits);
  ~Acceptor();
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;

  // Starts accepting. Call once.
  void start(HandOn hand_on);
  void stop();
  // Records that a connection, by gRPC's name ("ipv4:10.0.0.2:40100"), has authenticated as this peer. If the peer has
  // too many, closes the connection and returns false. Connections of local sockets have no name and always pass.
  bool assign_peer(const std::string& connection, const std::string& peer);

 private:
  struct Silent {
    os::UniqueFd connection;
    std::string address;
    std::string name;
    MonoTime since;
  };
  // A connection that the server owns.
  struct Open {
    os::ForeignConnection connection;
    std::string address;
    std::string name;
    MonoTime since;
    std::string peer;  // Empty until assign_peer().
  };
  using SilentOnes = std::list<Silent>;  // Oldest first.

  Acceptor(ListeningSocket listening, os::UniqueFd events, os::UniqueFd stop, const os::ConnectionLimits& limits);
  void run();
  void accept_new();
  bool accept_one();
  void make_room();
  void on_readable(int descriptor);
  void hand_on(SilentOnes::iterator ready);
  void make_room_for_handshake(const std::string& address);
  void make_room_for_open();
  void forget_closed();
  void end_silent(SilentOnes::iterator one);
  void end_late();
  int milliseconds_to_next_end() const;

  const ListeningSocket listening_;
  const os::UniqueFd events_;  // epoll
  const os::UniqueFd stop_;    // eventfd
  os::UniqueFd spare_;         // Closed to accept and close a connection when no descriptor is left.
  const os::ConnectionLimits limits_;
  HandOn hand_on_;
  SilentOnes silent_;
  std::map<int, SilentOnes::iterator> by_descriptor_;
  std::map<std::string, std::size_t> silent_of_;  // Number of silent connections, by address.
  std::mutex mutex_;                              // Guards open_.
  std::list<Open> open_;                          // Oldest first.
  std::thread thread_;
};

}  // namespace da::rpc
