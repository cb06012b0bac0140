// Takes the connections that come to one address and hands those on that say something.
//
// A connection waits here until it has sent its first byte, for five seconds at most, and costs the server nothing
// until then. Where too many wait, it ends the oldest one of the address that has most. A peer speaks as soon as it is
// connected, and is handed on long before that. So silent connections, however many, use up neither the descriptors of
// the process nor its patience. Which connections have an address in common: os::Caller. POSIX. A thread of its own
// takes them; any thread may call. Errors: those of ListeningSocket::open().
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
#include "lib/os/connection.h"
#include "lib/os/connection_limits.h"
#include "lib/os/unique_fd.h"
#include "lib/rpc/listening_socket.h"

namespace da::rpc {

class Acceptor {
 public:
  // The callee owns the connection from then on. It must end a connection that shows no certificate within
  // kHandshakeTime. The acceptor's thread calls it.
  using HandOn = std::function<void(os::UniqueFd connection)>;

  static constexpr Milliseconds kHandshakeTime{5'000};

  static Result<std::unique_ptr<Acceptor>> listen(const std::string& address, const os::ConnectionLimits& limits);
  ~Acceptor();
  Acceptor(const Acceptor&) = delete;
  Acceptor& operator=(const Acceptor&) = delete;

  // From here on connections are taken. Once.
  void start(HandOn hand_on);
  void stop();
  // A connection, by the name that gRPC gives it ("ipv4:10.0.0.2:40100"), has shown that it is this peer's. False where
  // the peer has too many; the connection is ended then. Those of local sockets have no name and count as good.
  bool belongs_to(const std::string& connection, const std::string& peer);

 private:
  struct Silent {
    os::UniqueFd connection;
    std::string address;
    std::string name;
    MonoTime since;
  };
  // One that was handed on.
  struct Open {
    os::ForeignConnection connection;
    std::string address;
    std::string name;
    MonoTime since;
    std::string peer;  // Empty until belongs_to().
  };
  using SilentOnes = std::list<Silent>;  // The oldest first.

  Acceptor(ListeningSocket listening, os::UniqueFd events, os::UniqueFd stop, const os::ConnectionLimits& limits);
  void run();
  void take_new();
  bool take_one();
  void make_room();
  void hear(int descriptor);
  void hand_on(SilentOnes::iterator ready);
  void make_room_for_handshake(const std::string& address);
  void forget_closed();
  void end_silent(SilentOnes::iterator one);
  void end_late();
  int until_next_end() const;

  const ListeningSocket listening_;
  const os::UniqueFd events_;  // epoll
  const os::UniqueFd stop_;    // eventfd
  os::UniqueFd spare_;         // Given up to take and close a connection when there is no other descriptor.
  const os::ConnectionLimits limits_;
  HandOn hand_on_;
  SilentOnes silent_;
  std::map<int, SilentOnes::iterator> by_descriptor_;
  std::map<std::string, std::size_t> silent_of_;  // By address.
  std::mutex mutex_;                              // For open_.
  std::list<Open> open_;                          // The oldest first.
  std::thread thread_;
};

}  // namespace da::rpc
