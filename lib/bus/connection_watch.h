// Ends connections to one socket of ours where strangers make too many: ZeroMQ itself takes all that come, and would
// use up the descriptors of the process. One that has said nothing makes room first, then the oldest whose handshake
// may not be over. Which connections have an address in common: os::Caller. One thread. Only lib/bus's .cpp files
// include this.
#pragma once

#include <list>
#include <string>
#include <zmq.hpp>

#include "lib/base/clock.h"
#include "lib/os/connection.h"
#include "lib/os/connection_limits.h"

namespace da::bus {

class ConnectionWatch {
 public:
  // No handshake may take longer.
  static constexpr Milliseconds kHandshakeTime{5'000};

  ConnectionWatch() : limits_(os::ConnectionLimits::of_process()) {}

  // From here on this socket, which is not bound yet, is watched instead of the one before.
  void watch(zmq::socket_t& socket);
  // Becomes readable when there is something to heed(). Edge-triggered, as ZeroMQ's descriptors are.
  int descriptor() { return events_.get(zmq::sockopt::fd); }
  // Looks at all that has come since it was called last.
  void heed();

 private:
  struct Taken {
    os::ForeignConnection connection;
    std::string address;
    MonoTime since;
  };
  void take(int descriptor);
  void make_room(const std::string& address);

  const os::ConnectionLimits limits_;
  zmq::socket_t events_;
  std::list<Taken> taken_;  // The oldest first.
};

}  // namespace da::bus
